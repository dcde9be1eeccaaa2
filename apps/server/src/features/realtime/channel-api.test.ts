import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { type App, signHttpRequest } from '@keyturn/pusher-protocol';
import { withTestServer } from '@keyturn/testkit';
import Fastify from 'fastify';
import PusherServer from 'pusher';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import {
  testApp as app,
  closeTestClients,
  openRawClient,
  testAppEnv,
} from '../../testing/real-time/channel-test-clients.ts';
import { channelApiRoutes } from './channel-api-routes.ts';

const server = withTestServer({ env: testAppEnv });
let publisher: PusherServer;
let target: { app: App; address: string };
beforeAll(async () => {
  const { port, host } = new URL(server.url);
  publisher = new PusherServer({ appId: app.id, ...app, host: '127.0.0.1', port, useTLS: false });
  target = { app, address: `ws://${host}/app/${app.key}?protocol=7` };
});
afterEach(closeTestClients);

async function listener(...channels: string[]) {
  const client = await openRawClient(target);
  for (const channel of channels) {
    client.subscribe(channel, channel.startsWith('presence-') ? { user_id: client.socketId } : undefined);
    await client.next('pusher_internal:subscription_succeeded', channel);
  }
  return client;
}

const nameOf = (number: number) => `orders-${number}`;
const refusal = (status: number) => expect.objectContaining({ status });

describe('the pusher library', () => {
  test('protocol 33: publishes to one channel and to ten, not to eleven', async () => {
    const names = Array.from({ length: 10 }, (_, number) => nameOf(number));
    const client = await listener(...names);
    expect((await publisher.trigger('orders-3', 'Changed', { id: 1 })).status).toBe(200);
    expect(await client.next('Changed')).toEqual({ event: 'Changed', channel: 'orders-3', data: { id: 1 } });
    await publisher.trigger(names, 'Changed', {});
    for (const name of names) await client.next('Changed', name);
    await expect(publisher.trigger([...names, 'orders-10'], 'Changed', {})).rejects.toEqual(refusal(400));
    await client.processed();
    expect(client.inbox).toEqual([]);
  });

  test.each([
    ['10 KB', 'x'.repeat(10_240), 200],
    ['10 KB of two bytes each', 'é'.repeat(5_120), 200],
    ['a byte more', 'x'.repeat(10_241), 413],
    ['a byte more with two bytes each', `${'é'.repeat(5_120)}x`, 413],
  ])('protocol 33: with %s of data is answered as it should be', async (_, text, status) => {
    const answer = publisher.trigger('orders', 'Changed', text).then(
      (response) => response.status,
      (error: { status: number }) => error.status,
    );
    expect(await answer).toBe(status);
  });

  test('protocol 33: with a name of 100 characters for an event and 164 for a channel, and none longer', async () => {
    const channel = 'c'.repeat(164);
    const client = await listener(channel);
    await publisher.trigger(channel, 'e'.repeat(100), {});
    await client.next('e'.repeat(100));
    await expect(publisher.trigger(channel, 'e'.repeat(101), {})).rejects.toEqual(refusal(400));
    await expect(publisher.trigger(`${channel}c`, 'e', {})).rejects.toEqual(refusal(400));
  });

  test('protocol 33: leaves the named socket out, and nobody where it names none that is here', async () => {
    const [own, other] = [await listener('orders'), await listener('orders')];
    await publisher.trigger('orders', 'Changed', {}, { socket_id: own.socketId });
    await other.next('Changed');
    await publisher.trigger('orders', 'Again', {}, { socket_id: '1.1' });
    await own.next('Again');
    await other.next('Again');
    await own.processed();
    expect(own.inbox).toEqual([]);
  });

  test('protocol 33: is told how many listen', async () => {
    const client = await listener('orders', 'presence-room');
    const answer = await publisher.trigger(['orders', 'presence-room'], 'Changed', {}, {
      info: 'user_count,subscription_count',
    } as never);
    expect(await answer.json()).toEqual({
      channels: { orders: { subscription_count: 1 }, 'presence-room': { user_count: 1 } },
    });
    await client.next('Changed', 'orders');
  });

  test('protocol 34: publishes ten events at once, not eleven, and is told of those that ask', async () => {
    const client = await listener('orders');
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
    ).rejects.toEqual(refusal(400));
    const mixed = [
      { channel: 'orders', name: 'E', data: {}, info: 'subscription_count' },
      { channel: 'nobody', name: 'E', data: {} },
    ];
    expect(await (await publisher.triggerBatch(mixed as never)).json()).toEqual({
      batch: [{ subscription_count: 1 }, {}],
    });
  });

  test('protocol 35: asks who and what is there', async () => {
    await listener('orders', 'presence-room');
    const member = await listener('presence-room');
    const ask = async (path: string, params: object = {}) =>
      (await publisher.get({ path, params } as never)).json();
    expect(await ask('/channels')).toEqual({ channels: { orders: {}, 'presence-room': {} } });
    expect(await ask('/channels', { filter_by_prefix: 'presence-', info: 'user_count' })).toEqual({
      channels: { 'presence-room': { user_count: 2 } },
    });
    expect(await ask('/channels/orders', { info: 'subscription_count' })).toEqual({
      occupied: true,
      subscription_count: 1,
    });
    expect(await ask('/channels/nobody')).toEqual({ occupied: false });
    expect(await ask('/channels/presence-room/users')).toEqual({
      users: expect.arrayContaining([{ id: member.socketId }]),
    });
    await expect(ask('/channels/orders/users')).rejects.toEqual(refusal(400));
    await expect(ask('/channels/presence-nobody/users')).rejects.toEqual(refusal(404));
    await expect(ask('/nothing')).rejects.toEqual(refusal(404));
  });

  test('protocol 37: publishes what is beyond ASCII as it is', async () => {
    const client = await listener('orders');
    const data = { text: '£é 李 🏠 \u2028 "\\' };
    await publisher.trigger('orders', 'Änderung', data);
    expect(await client.next('Änderung')).toMatchObject({ data });
  });

  test('protocol 30: reaches a user, and signs one out', async () => {
    const [own, other] = [await openRawClient(target), await openRawClient(target)];
    own.signIn('7');
    other.signIn('8');
    await own.next('pusher:signin_success');
    await other.next('pusher:signin_success');
    own.subscribe('#server-to-user-7');
    await own.next('pusher_internal:subscription_succeeded');
    await publisher.sendToUser('7', 'Told', {});
    await own.next('Told');
    await publisher.terminateUserConnections('7');
    expect(await own.closed).toBe(4009);
    await other.processed();
  });
});

describe('a request that is signed', () => {
  const path = `/apps/${app.id}/events`;
  const body = Buffer.from('{"name":"Changed","data":"{}","channels":["orders"]}');
  const ask = async (
    query: string,
    sent: { body?: Buffer | string; path?: string; method?: string } = {},
  ) => {
    const { method = 'POST' } = sent;
    const answer = await fetch(`${server.url}${sent.path ?? path}?${query}`, {
      method,
      ...(method === 'GET' ? {} : { body: sent.body ?? body }),
    });
    return { status: answer.status, body: await answer.json() };
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

  test('protocol 36: as it should be is done, and needs no content type', async () => {
    expect(await ask(sign())).toEqual({ status: 200, body: {} });
  });

  test.each<[string, () => string, Parameters<typeof ask>[1]?]>([
    ['another key', () => changed('auth_key', () => 'other')],
    ['another version', () => changed('auth_version', () => '1.1')],
    ['another time', () => changed('auth_timestamp', (value) => String(Number(value) + 1))],
    ['another hash', () => changed('body_md5', (value) => value.replace(/^./, 'x'))],
    ['no hash', () => changed('body_md5', () => null)],
    ['no signature', () => changed('auth_signature', () => null)],
    ['a parameter more', () => `${sign()}&info=user_count`],
    ['a parameter twice', () => `${sign()}&auth_version=1.0`],
    ['a time 601 s ago', () => sign(Date.now() - 601_000)],
    ['a time in 602 s', () => sign(Date.now() + 602_000)],
    ['the secret of another', () => sign(Date.now(), { ...app, secret: 'other' })],
    ['another body', sign, { body: Buffer.from(body.map((byte, at) => (at === 9 ? byte ^ 1 : byte))) }],
    ['a space behind the body', sign, { body: `${body} ` }],
    ['another method', sign, { method: 'GET', path: `/apps/${app.id}/channels` }],
  ])('protocol 36: with %s is 401, and nobody hears of it', async (_, query, sent) => {
    const client = await listener('orders');
    expect(await ask(query(), sent)).toEqual({ status: 401, body: { error: expect.any(String) } });
    await client.processed();
    expect(client.inbox).toEqual([]);
  });

  test('protocol 36: for another app is 404', async () => {
    expect((await ask(sign(), { path: '/apps/43/events' })).status).toBe(404);
  });

  test.each([
    ['no JSON', 'x'],
    ['a list', '[]'],
    ['no UTF-8', Buffer.from([0xff, 0xfe])],
    ['a nesting of 10,000', '['.repeat(10_000)],
    ['nothing', ''],
  ])('protocol 38: with %s for a body is 400', async (_, text) => {
    const bytes = Buffer.from(text as string);
    expect((await ask(sign(Date.now(), app, bytes), { body: bytes })).status).toBe(400);
  });

  test('protocol 38: with more than 128 KB is 413, whatever it says of its length', async () => {
    const large = Buffer.alloc(140 * 1024, 'x');
    expect((await ask(sign(Date.now(), app, large), { body: large })).status).toBe(413);
    const stream = new ReadableStream({
      start: (controller) => {
        controller.enqueue(large);
        controller.close();
      },
    });
    const answer = await fetch(`${server.url}${path}?${sign()}`, {
      method: 'POST',
      body: stream,
      duplex: 'half',
    } as RequestInit);
    expect(answer.status).toBe(413);
  });

  test('protocol 38: whose body comes too slowly is 408', async () => {
    expect(server.app.server.requestTimeout).toBe(30_000);
    // The same route on a server that waits less.
    const hasty = Fastify({
      serverFactory: (handler) =>
        createServer({ requestTimeout: 200, headersTimeout: 200, connectionsCheckingInterval: 50 }, handler),
    });
    await hasty.register(channelApiRoutes(() => ({ status: 200, body: '{}', effects: [] })));
    await hasty.listen({ port: 0, host: '127.0.0.1' });
    const socket = connect((hasty.server.address() as AddressInfo).port, '127.0.0.1');
    socket.write('POST /apps/42/events HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{"nam');
    const answer = await new Promise<string>((resolve) =>
      socket.once('data', (data) => resolve(String(data))),
    );
    expect(answer).toMatch(/^HTTP\/1.1 408/);
    socket.destroy();
    await hasty.close();
  });
});
