import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createPusherBroadcaster } from './create-pusher-broadcaster.ts';

/** An external server that records requests and responds with `status`. */
const requests: { path: string; body: { batch?: { name: string }[] } | null }[] = [];
let status = 200;
const server = createServer((request, response) => {
  void request.toArray().then((parts) => {
    const text = Buffer.concat(parts).toString();
    requests.push({ path: request.url?.split('?')[0] ?? '', body: text === '' ? null : JSON.parse(text) });
    response.writeHead(status).end('{}');
  });
});
beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
beforeEach(() => {
  requests.length = 0;
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

describe('createPusherBroadcaster', () => {
  test('sends events in batches of ten, in order', async () => {
    const events = Array.from({ length: 23 }, (_, number) => ({
      channel: 'status',
      event: `Event${number}`,
      data: '{}',
      except: null,
    }));
    await broadcaster().send(events);
    expect(requests.map(({ body }) => body?.batch?.length)).toEqual([10, 10, 3]);
    expect(requests.flatMap(({ body }) => body?.batch?.map(({ name }) => name))).toEqual(
      events.map(({ event }) => event),
    );
  });

  test('terminates the connections of a client and ignores 404', async () => {
    await broadcaster().disconnectClient('7');
    status = 404;
    await broadcaster().disconnectClient('7');
    expect(requests.map(({ path }) => path)).toEqual(
      Array.from({ length: 2 }, () => '/apps/42/users/7/terminate_connections'),
    );
  });

  test('names the host and port of an external server that cannot be reached or refuses, and no key', async () => {
    const send = (change: { host: string; port: number | null }) =>
      createPusherBroadcaster({
        appId: '42',
        key: 'canary-key',
        secret: 'canary-secret',
        scheme: 'https',
        cluster: null,
        ...change,
      })
        .send([{ channel: 'status', event: 'Event', data: '{}', except: null }])
        .catch(({ message }: Error) => message);
    const messages = [
      await send({ host: '127.0.0.1', port: 1 }),
      await send({ host: 'channel.invalid', port: null }),
    ];
    expect(messages).toEqual([
      expect.stringMatching(/^the channel server at 127\.0\.0\.1:1 cannot be reached: .*ECONNREFUSED/),
      expect.stringMatching(
        /^the channel server at channel\.invalid:443 cannot be reached: .*(ENOTFOUND|EAI_AGAIN)/,
      ),
    ]);
    status = 413;
    const { port } = server.address() as AddressInfo;
    await expect(broadcaster().disconnectClient('7')).rejects.toThrow(
      `the channel server at 127.0.0.1:${port} answered 413`,
    );
    expect(messages.join()).not.toContain('canary');
  });

  test.each([401, 500])('throws if the external server responds with %i', async (failure) => {
    status = failure;
    await expect(broadcaster().disconnectClient('7')).rejects.toMatchObject({ status: failure });
    await expect(
      broadcaster().send([{ channel: 'status', event: 'Event', data: '{}', except: null }]),
    ).rejects.toMatchObject({ status: failure });
  });
});
