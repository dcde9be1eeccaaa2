import { signUser } from '@keyturn/pusher-protocol';
import type { PresenceChannel } from 'pusher-js';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  closeTestClients,
  openPusherClient,
  openRawClient,
  waitForEvent,
} from '../../testing/real-time/channel-test-clients.ts';
import {
  startTestChannelServer,
  type TestChannelServer,
} from '../../testing/real-time/channel-test-server.ts';

let server: TestChannelServer;
beforeEach(async () => {
  server = await startTestChannelServer();
});
afterEach(async () => {
  closeTestClients();
  await server.stop();
});

async function joinAs(user: string) {
  const client = openPusherClient(server, { user });
  const channel = client.subscribe('presence-room') as PresenceChannel;
  const changes: unknown[] = [];
  channel.bind('pusher:member_added', (member: { id: string }) => changes.push(['joined', member]));
  channel.bind('pusher:member_removed', (member: { id: string }) => changes.push(['left', member]));
  await waitForEvent(channel, 'pusher:subscription_succeeded');
  return { client, channel, changes };
}

const idsOf = (channel: PresenceChannel) => Object.keys(channel.members.members).sort();
const member = (id: string) => ({ id, info: { name: id } });

describe('presence channel', () => {
  test('protocol 23: sends pusher-js the member list, its own member, joins and leaves', async () => {
    const amelia = await joinAs('amelia');
    expect(amelia.channel.members).toMatchObject({ count: 1, myID: 'amelia', me: member('amelia') });
    const tom = await joinAs('tom');
    await expect.poll(() => amelia.changes).toEqual([['joined', member('tom')]]);
    expect(tom.channel.members.count).toBe(2);
    expect(tom.channel.members.get('amelia')).toEqual(member('amelia'));
    expect(tom.channel.members.get('unknown')).toBeNull();
    tom.client.unsubscribe('presence-room');
    await expect.poll(() => amelia.changes.at(-1)).toEqual(['left', member('tom')]);
    expect(idsOf(amelia.channel)).toEqual(['amelia']);
    expect(tom.changes).toEqual([]);
  });

  test('protocol 24: announces a member with two connections once', async () => {
    const watching = await joinAs('watching');
    const first = await joinAs('amelia');
    const second = await joinAs('amelia');
    expect(idsOf(second.channel)).toEqual(['amelia', 'watching']);
    first.client.disconnect();
    await expect.poll(() => server.channels.counts().connections).toBe(2);
    second.client.disconnect();
    await expect
      .poll(() => watching.changes)
      .toEqual([
        ['joined', member('amelia')],
        ['left', member('amelia')],
      ]);
  });

  test('protocol 25: accepts any text as user id, such as __proto__', async () => {
    const raw = await openRawClient(server);
    for (const [at, id] of ['__proto__', 'constructor', 'toString', 'é 李', '7'].entries()) {
      const client = await openRawClient(server);
      client.subscribe('presence-room', { user_id: id, user_info: { at } });
      await client.next('pusher_internal:subscription_succeeded');
    }
    const number = await openRawClient(server);
    number.subscribe('presence-room', { user_id: 7 });
    await number.next('pusher_internal:subscription_succeeded');
    raw.subscribe('presence-room', { user_id: 'raw' });
    const text: string = await new Promise((resolve) =>
      raw.socket.once('message', (bytes) => resolve(String(bytes))),
    );
    const { presence } = JSON.parse(JSON.parse(text).data);
    expect(presence.ids).toEqual(['__proto__', 'constructor', 'toString', 'é 李', '7', 'raw']);
    expect(presence.count).toBe(6);
    expect(Object.getOwnPropertyDescriptor(presence.hash, '__proto__')?.value).toEqual({ at: 0 });
  });

  test('protocol 26: limits members to 100, their data to 1 KB and their ids to 128 characters', async () => {
    const join = async (data: object) => {
      const client = await openRawClient(server);
      client.subscribe('presence-room', data);
      await expect.poll(() => client.inbox.length, { interval: 3 }).toBeGreaterThan(0);
      const { event, data: content } = client.inbox[0] as { event: string; data: unknown };
      return event === 'pusher:subscription_error' ? (content as { type: string }).type : 'in';
    };
    for (let number = 0; number < 99; number++) expect(await join({ user_id: `m${number}` })).toBe('in');
    expect(await join({ user_id: 'x'.repeat(129) })).toBe('InvalidChannel');
    expect(await join({ user_id: 'x', user_info: 'x'.repeat(1_000) })).toBe('InvalidChannel');
    expect(await join({ user_id: 'x'.repeat(128), user_info: 'x'.repeat(800) })).toBe('in');
    expect(await join({ user_id: 'm100' })).toBe('LimitReached');
    expect(await join({ user_id: 'm1' })).toBe('in');
  });

  test('protocol 22: rejects channel_data that differs from the signed text or has no user', async () => {
    const client = await openRawClient(server);
    client.subscribe('presence-room', { user_id: '7', user_info: {} });
    await client.next('pusher_internal:subscription_succeeded');
    const { signChannel } = await import('@keyturn/pusher-protocol');
    const subscribeWith = async (signed: string, sent: string) => {
      const { auth } = signChannel(server.app, client.socketId, 'presence-other', signed);
      client.send({
        event: 'pusher:subscribe',
        data: { channel: 'presence-other', auth, channel_data: sent },
      });
      return (await client.next('pusher:subscription_error', 'presence-other')).data;
    };
    const auth = { type: 'AuthError', status: 401 };
    expect(
      await subscribeWith('{"user_id":"7","user_info":1}', '{"user_id":"8","user_info":1}'),
    ).toMatchObject(auth);
    expect(
      await subscribeWith('{"user_id":"7","user_info":1}', '{"user_info":1,"user_id":"7"}'),
    ).toMatchObject(auth);
    expect(await subscribeWith('{"user_id":"7"}', '{"user_id": "7"}')).toMatchObject(auth);
    for (const text of ['not JSON', '{}', '{"user_id":""}', '[]', '7']) {
      expect(await subscribeWith(text, text)).toMatchObject({ type: 'InvalidChannel', status: 400 });
    }
  });
});

describe('signed-in connections', () => {
  test('protocol 28: pusher-js signs in, and again after it reconnects', async () => {
    const client = openPusherClient(server, { user: '7' });
    client.signin();
    const received: unknown[] = [];
    client.user.bind('Notified', (data: unknown) => received.push(data));
    await expect.poll(() => server.channels.counts().users).toBe(1);
    await expect
      .poll(async () => {
        await server.publisher.sendToUser('7', 'Notified', {});
        return received.length;
      })
      .toBeGreaterThan(0);
    client.disconnect();
    await expect.poll(() => server.channels.counts().users).toBe(0);
    client.connect();
    await expect.poll(() => server.channels.counts().users).toBe(1);
  }, 20_000);

  test('protocol 28: rejects a sign-in with another socket’s signature or without an id', async () => {
    const [client, other] = [await openRawClient(server), await openRawClient(server)];
    const signIn = (socketId: string, userData: string) =>
      client.send({ event: 'pusher:signin', data: signUser(server.app, socketId, userData) });
    signIn(other.socketId, '{"id":"7"}');
    expect(await client.next('pusher:error')).toMatchObject({ data: { code: 4009 } });
    signIn(client.socketId, '{}');
    await client.next('pusher:error');
    client.send({ event: 'pusher:signin', data: { auth: 'key:x', user_data: '{"id":"7"}' } });
    await client.next('pusher:error');
    expect(server.channels.counts().users).toBe(0);
    signIn(client.socketId, '{"id":"7"}');
    expect(await client.next('pusher:signin_success')).toMatchObject({ data: { user_data: '{"id":"7"}' } });
    signIn(client.socketId, '{"id":"8"}');
    await client.next('pusher:error');
    expect(server.channels.counts().users).toBe(1);
  });

  test('protocol 29: accepts a subscription to a user channel only from that user', async () => {
    const client = await openRawClient(server);
    const channel = '#server-to-user-7';
    client.subscribe(channel);
    await client.next('pusher:subscription_error', channel);
    client.signIn('8');
    await client.next('pusher:signin_success');
    client.subscribe(channel);
    await client.next('pusher:subscription_error', channel);
    client.subscribe('#server-to-user-8');
    await client.next('pusher_internal:subscription_succeeded', '#server-to-user-8');
  });

  test('protocol 30: sendToUser and terminateUserConnections reach all connections of one user only', async () => {
    const tabs = [await openRawClient(server), await openRawClient(server)];
    const other = await openRawClient(server);
    for (const [client, user] of [...tabs.map((tab) => [tab, '7'] as const), [other, '8'] as const]) {
      client.signIn(user);
      await client.next('pusher:signin_success');
      client.subscribe(`#server-to-user-${user}`);
      await client.next('pusher_internal:subscription_succeeded');
    }
    await server.publisher.sendToUser('7', 'Notified', { id: 1 });
    for (const tab of tabs) expect(await tab.next('Notified')).toMatchObject({ data: { id: 1 } });
    await server.publisher.terminateUserConnections('7');
    expect(await Promise.all(tabs.map(({ closed }) => closed))).toEqual([4009, 4009]);
    await other.processed();
    expect(other.inbox).toEqual([]);
  });
});
