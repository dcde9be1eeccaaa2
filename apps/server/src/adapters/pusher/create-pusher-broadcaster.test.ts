import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createPusherBroadcaster } from './create-pusher-broadcaster.ts';

/** A server of others that answers what a test wants, and keeps what it was asked. */
const asked: { path: string; body: { batch?: { name: string }[] } | null }[] = [];
let status = 200;
const server = createServer((request, response) => {
  void request.toArray().then((parts) => {
    const text = Buffer.concat(parts).toString();
    asked.push({ path: request.url?.split('?')[0] ?? '', body: text === '' ? null : JSON.parse(text) });
    response.writeHead(status).end('{}');
  });
});
beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
beforeEach(() => {
  asked.length = 0;
  status = 200;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const broadcaster = () =>
  createPusherBroadcaster({
    appId: '42',
    key: 'key',
    secret: 'a-secret-of-this-test',
    host: '127.0.0.1',
    port: (server.address() as AddressInfo).port,
    scheme: 'http',
    cluster: null,
  });

describe('a server of others', () => {
  test('gets events ten at a time, in their order', async () => {
    const events = Array.from({ length: 23 }, (_, number) => ({
      channel: 'status',
      event: `Event${number}`,
      data: '{}',
      except: null,
    }));
    await broadcaster().send(events);
    expect(asked.map(({ body }) => body?.batch?.length)).toEqual([10, 10, 3]);
    expect(asked.flatMap(({ body }) => body?.batch?.map(({ name }) => name))).toEqual(
      events.map(({ event }) => event),
    );
  });

  test('is asked to end the connections of a client; where it knows of none that is as good as done', async () => {
    await broadcaster().disconnectClient('7');
    status = 404;
    await broadcaster().disconnectClient('7');
    expect(asked.map(({ path }) => path)).toEqual(
      Array.from({ length: 2 }, () => '/apps/42/users/7/terminate_connections'),
    );
  });

  test.each([401, 500])('that answers %i has not done it', async (failure) => {
    status = failure;
    await expect(broadcaster().disconnectClient('7')).rejects.toMatchObject({ status: failure });
    await expect(
      broadcaster().send([{ channel: 'status', event: 'Event', data: '{}', except: null }]),
    ).rejects.toMatchObject({ status: failure });
  });
});
