import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { type App, signHttpRequest } from '@keyturn/pusher-protocol';
import { withTestServer } from '@keyturn/testkit';
import PusherServer from 'pusher';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { limitArrival } from '../../http/limits/limit-arrival.ts';
import {
  testApp as app,
  closeTestClients,
  openRawClient,
  testAppEnv,
} from '../../testing/real-time/channel-test-clients.ts';
import { channelApi } from './channel-api.ts';

const server = withTestServer({ env: testAppEnv });
let publisher: PusherServer;
let target: { app: App; address: string };
beforeAll(async () => {
  const { port, host } = new URL(server.url);
  publisher = new PusherServer({ appId: app.id, ...app, host: '127.0.0.1', port, useTLS: false });
  target = { app, address: `ws://${host}/app/${app.key}?protocol=7` };
});
afterEach(closeTestClients);

async function openSubscriber(...channels: string[]) {
  const client = await openRawClient(target);
  for (const channel of channels) {
    client.subscribe(channel, channel.startsWith('presence-') ? { user_id: client.socketId } : undefined);
    await client.next('pusher_internal:subscription_succeeded', channel);
  }
  return client;
}

const nameOf = (number: number) => `orders-${number}`;
const rejection = (status: number) => expect.objectContaining({ status });

describe('pusher library', () => {
  test('protocol 33: the pusher library publishes to up to 100 channels', async () => {
    const names = Array.from({ length: 100 }, (_, number) => nameOf(number));
    const subscribed = names.slice(0, 20);
    const client = await openSubscriber(...subscribed);
    expect((await publisher.trigger('orders-3', 'Changed', { id: 1 })).status).toBe(200);
    expect(await client.next('Changed')).toEqual({ event: 'Changed', channel: 'orders-3', data: { id: 1 } });
    await publisher.trigger(names, 'Changed', {});
    for (const name of subscribed) await client.next('Changed', name);
    await client.processed();
    expect(client.inbox).toEqual([]);
  });

  test.each([
    ['10 KB', 'x'.repeat(10_240), 200],
    ['10 KB of two-byte characters', 'é'.repeat(5_120), 200],
    ['one byte more', 'x'.repeat(10_241), 413],
    ['one byte more with two-byte characters', `${'é'.repeat(5_120)}x`, 413],
  ])('protocol 33: checks the size of event data in bytes: %s', async (_, text, status) => {
    const response = publisher.trigger('orders', 'Changed', text).then(
      (response) => response.status,
      (error: { status: number }) => error.status,
    );
    expect(await response).toBe(status);
  });

  test('protocol 33: accepts names of events and channels of up to 200 characters', async () => {
    const channel = 'c'.repeat(200);
    const client = await openSubscriber(channel);
    await publisher.trigger(channel, 'e'.repeat(200), {});
    await client.next('e'.repeat(200));
  });

  test('protocol 33: excludes the named socket and ignores an unknown one', async () => {
    const [own, other] = [await openSubscriber('orders'), await openSubscriber('orders')];
    await publisher.trigger('orders', 'Changed', {}, { socket_id: own.socketId });
    await other.next('Changed');
    await publisher.trigger('orders', 'Again', {}, { socket_id: '1.1' });
    await own.next('Again');
    await other.next('Again');
    await own.processed();
    expect(own.inbox).toEqual([]);
  });

  test('protocol 33: returns the subscription count with an event', async () => {
    const client = await openSubscriber('orders', 'presence-room');
    const response = await publisher.trigger(['orders', 'presence-room'], 'Changed', {}, {
      info: 'user_count,subscription_count',
    } as never);
    expect(await response.json()).toEqual({
      channels: { orders: { subscription_count: 1 }, 'presence-room': { user_count: 1 } },
    });
    await client.next('Changed', 'orders');
  });

  test('protocol 34: publishes a batch of up to ten events and returns requested counts', async () => {
    const client = await openSubscriber('orders');
    const batch = Array.from({ length: 10 }, (_, number) => ({
      channel: 'orders',
      name: `E${number}`,
      data: {},
    }));
    expect(await (await publisher.triggerBatch(batch)).json()).toEqual({ batch: {} });
    await client.processed();
    expect(client.inbox.map(({ event }) => event)).toEqual(batch.map(({ name }) => name));
    await expect(
      publisher.triggerBatch([...batch, { channel: 'orders', name: 'E', data: {} }]),
    ).rejects.toEqual(rejection(400));
    const mixed = [
      { channel: 'orders', name: 'E', data: {}, info: 'subscription_count' },
      { channel: 'empty', name: 'E', data: {} },
    ];
    expect(await (await publisher.triggerBatch(mixed as never)).json()).toEqual({
      batch: [{ subscription_count: 1 }, {}],
    });
  });

  test.each([
    ['quotes', '"'],
    ['control characters', '\u0001'],
  ])('protocol 34: publishes a batch of ten events of 10 KB of %s', async (_, character) => {
    const client = await openSubscriber('orders');
    const batch = Array.from({ length: 10 }, () => ({
      channel: 'orders',
      name: 'Changed',
      data: character.repeat(10_240),
    }));
    expect((await publisher.triggerBatch(batch)).status).toBe(200);
    for (const { data } of batch) expect((await client.next('Changed')).data).toBe(data);
  });

  test('protocol 35: the pusher library lists channels and users', async () => {
    await openSubscriber('orders', 'presence-room');
    const member = await openSubscriber('presence-room');
    const sendRequest = async (path: string, params: object = {}) =>
      (await publisher.get({ path, params } as never)).json();
    expect(await sendRequest('/channels')).toEqual({ channels: { orders: {}, 'presence-room': {} } });
    expect(await sendRequest('/channels', { filter_by_prefix: 'presence-', info: 'user_count' })).toEqual({
      channels: { 'presence-room': { user_count: 2 } },
    });
    expect(await sendRequest('/channels/orders', { info: 'subscription_count' })).toEqual({
      occupied: true,
      subscription_count: 1,
    });
    expect(await sendRequest('/channels/empty')).toEqual({ occupied: false });
    expect(await sendRequest('/channels/presence-room/users')).toEqual({
      users: expect.arrayContaining([{ id: member.socketId }]),
    });
    await expect(sendRequest('/channels/orders/users')).rejects.toEqual(rejection(400));
    await expect(sendRequest('/channels/presence-empty/users')).rejects.toEqual(rejection(404));
    await expect(sendRequest('/nothing')).rejects.toEqual(rejection(404));
  });

  test('protocol 37: publishes non-ASCII data unchanged', async () => {
    const client = await openSubscriber('orders');
    const data = { text: '£é 李 🏠 \u2028 "\\' };
    await publisher.trigger('orders', 'Änderung', data);
    expect(await client.next('Änderung')).toMatchObject({ data });
  });

  test('protocol 30: the pusher library sends events to a user and terminates connections', async () => {
    const [own, other] = [await openRawClient(target), await openRawClient(target)];
    own.signIn('7');
    other.signIn('8');
    await own.next('pusher:signin_success');
    await other.next('pusher:signin_success');
    own.subscribe('#server-to-user-7');
    await own.next('pusher_internal:subscription_succeeded');
    await publisher.sendToUser('7', 'Updated', {});
    await own.next('Updated');
    await publisher.terminateUserConnections('7');
    expect(await own.closed).toBe(4009);
    await other.processed();
  });
});

describe('signed requests', () => {
  const path = `/apps/${app.id}/events`;
  const body = Buffer.from('{"name":"Changed","data":"{}","channels":["orders"]}');
  const ask = async (
    query: string,
    sent: { body?: Buffer | string; path?: string; method?: string } = {},
  ) => {
    const { method = 'POST' } = sent;
    const response = await fetch(`${server.url}${sent.path ?? path}?${query}`, {
      method,
      ...(method === 'GET' ? {} : { body: sent.body ?? body }),
    });
    return { status: response.status, body: await response.json() };
  };
  const sign = (now = Date.now(), as: App = app, bytes: Buffer = body) =>
    signHttpRequest(as, { method: 'POST', path, body: bytes }, now);
  const changed = (name: string, change: (value: string) => string | null) => {
    const query = new URLSearchParams(sign());
    const value = change(query.get(name) ?? '');
    if (value === null) query.delete(name);
    else query.set(name, value);
    return query.toString();
  };

  test('protocol 36: accepts a correctly signed request without a content type', async () => {
    expect(await ask(sign())).toEqual({ status: 200, body: {} });
  });

  test.each<[string, () => string, Parameters<typeof ask>[1]?]>([
    ['another key', () => changed('auth_key', () => 'other')],
    ['another version', () => changed('auth_version', () => '1.1')],
    ['another timestamp', () => changed('auth_timestamp', (value) => String(Number(value) + 1))],
    ['another hash', () => changed('body_md5', (value) => value.replace(/^./, 'x'))],
    ['a missing hash', () => changed('body_md5', () => null)],
    ['a missing signature', () => changed('auth_signature', () => null)],
    ['an added parameter', () => `${sign()}&info=user_count`],
    ['a duplicate parameter', () => `${sign()}&auth_version=1.0`],
    ['a timestamp 601 s ago', () => sign(Date.now() - 601_000)],
    ['a timestamp in 602 s', () => sign(Date.now() + 602_000)],
    ['another secret', () => sign(Date.now(), { ...app, secret: 'other' })],
    ['another body', sign, { body: Buffer.from(body.map((byte, at) => (at === 9 ? byte ^ 1 : byte))) }],
    ['a space after the body', sign, { body: `${body} ` }],
    ['another method', sign, { method: 'GET', path: `/apps/${app.id}/channels` }],
  ])('protocol 36: rejects a request with %s with 401 and publishes nothing', async (_, query, sent) => {
    const client = await openSubscriber('orders');
    expect(await ask(query(), sent)).toEqual({ status: 401, body: { error: expect.any(String) } });
    await client.processed();
    expect(client.inbox).toEqual([]);
  });

  test('protocol 33: responds in one piece, with a content length', async () => {
    const publish = (name: string) => {
      const body = Buffer.from(
        JSON.stringify({ name: 'Changed', channel: name, data: '{}', info: 'subscription_count' }),
      );
      const request = { method: 'POST', path: `/apps/${app.id}/events`, body };
      const query = signHttpRequest(app, request, Date.now());
      return fetch(`${server.url}${request.path}?${query}`, { method: 'POST', body });
    };
    for (const name of ['orders', 'not valid']) {
      const response = await publish(name);
      const { length } = new Uint8Array(await response.arrayBuffer());
      expect(response.headers.get('content-length')).toBe(String(length));
      expect(response.headers.get('transfer-encoding')).toBeNull();
    }
  });

  test('protocol 36: rejects a request for another app with 404', async () => {
    expect((await ask(sign(), { path: '/apps/43/events' })).status).toBe(404);
  });

  test.each([
    ['invalid JSON', 'x'],
    ['an array', '[]'],
    ['invalid UTF-8', Buffer.from([0xff, 0xfe])],
    ['10,000 nested arrays', '['.repeat(10_000)],
    ['empty', ''],
  ])('protocol 38: rejects a body that is %s with 400', async (_, text) => {
    const bytes = Buffer.from(text as string);
    expect((await ask(sign(Date.now(), app, bytes), { body: bytes })).status).toBe(400);
  });

  test('protocol 38: rejects a body above 640 KB with 413, with or without a content length', async () => {
    const large = Buffer.alloc(641 * 1024, 'x');
    expect((await ask(sign(Date.now(), app, large), { body: large })).status).toBe(413);
    const stream = new ReadableStream({
      start: (controller) => {
        controller.enqueue(large);
        controller.close();
      },
    });
    const response = await fetch(`${server.url}${path}?${sign()}`, {
      method: 'POST',
      body: stream,
      duplex: 'half',
    } as RequestInit);
    expect(response.status).toBe(413);
  });

  test('protocol 38: rejects a request whose body arrives too slowly with 408', async () => {
    // With a check every five seconds, a connection that sends nothing is closed within 20.
    expect(server.app.server.headersTimeout).toBeLessThan(15_000);
    // Runs the same handler on a server with shorter timeouts.
    const answer = channelApi(() => ({ status: 200, body: '{}', effects: [] }));
    const impatient = createServer((request, response) => {
      limitArrival(request, response, 200);
      void answer(request, response);
    });
    await new Promise<void>((resolve) => impatient.listen(0, '127.0.0.1', resolve));
    const socket = connect((impatient.address() as AddressInfo).port, '127.0.0.1');
    socket.write('POST /apps/42/events HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{"nam');
    const response = await new Promise<string>((resolve) =>
      socket.once('data', (data) => resolve(String(data))),
    );
    expect(response).toMatch(/^HTTP\/1.1 408/);
    socket.destroy();
    await new Promise((resolve) => impatient.close(resolve));
  });
});
