import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { type RequestPolicy, usualPolicy } from '@keyturn/contract';
import Fastify from 'fastify';
import { afterEach, describe, expect, test } from 'vitest';
import { closeWithConnection } from './close-responses.ts';
import { shedLoad } from './shed-load.ts';

let app = Fastify();
afterEach(() => app.close());

/** Creates a server whose responses wait until the test releases them. */
async function serve({ maxConcurrentRequests = 2, lag = 0 } = {}) {
  app = Fastify({
    serverFactory: (answer) =>
      createServer((request, response) => {
        if (closeWithConnection(request, response)) answer(request, response);
      }),
  });
  const waiting: (() => void)[] = [];
  let currentLag = lag;
  let shed = 0;
  await app.register(shedLoad, { maxConcurrentRequests, lag: () => currentLag, onShed: () => (shed += 1) });
  const answer = () => new Promise((done) => waiting.push(() => done({ ok: true })));
  const priorities: Record<string, RequestPolicy['priority']> = {
    '/api/client': 'normal',
    '/api/payments/:id': 'high',
    '/api/webhooks/:provider': 'high',
    '/healthz': 'uncounted',
  };
  for (const [path, priority] of Object.entries(priorities))
    app.get(path, { config: { policy: { ...usualPolicy, priority } } }, answer);
  return {
    get: (url: string) => app.inject({ url }),
    /** Waits until `count` requests are in progress. */
    waitForRequests: (count: number) => expect.poll(() => waiting.length).toBe(count),
    release: () => {
      for (const respond of waiting.splice(0)) respond();
    },
    setLag: (milliseconds: number) => {
      currentLag = milliseconds;
    },
    shedCount: () => shed,
  };
}

describe('shedLoad', () => {
  test('fault 33: rejects requests above the limit with 503 and Retry-After until others have finished', async () => {
    const server = await serve();
    const first = [server.get('/api/client'), server.get('/api/client')];
    await server.waitForRequests(2);
    const rejected = await server.get('/api/client');
    expect({ status: rejected.statusCode, code: rejected.json().code }).toEqual({
      status: 503,
      code: 'unavailable',
    });
    expect(rejected.headers['retry-after']).toBe('5');
    expect(server.shedCount()).toBe(1);
    server.release();
    expect((await Promise.all(first)).map(({ statusCode }) => statusCode)).toEqual([200, 200]);
    const next = server.get('/api/client');
    await server.waitForRequests(1);
    server.release();
    expect((await next).statusCode).toBe(200);
  });

  test.each(['/%61pi/client', 'http://any/api/client'])(
    'sheds a request whose URL is another spelling of the route: %s',
    async (url) => {
      const server = await serve({ lag: 1_001 });
      await app.listen({ host: '127.0.0.1', port: 0 });
      const { port } = app.server.address() as AddressInfo;
      const connection = connect(port, '127.0.0.1');
      connection.write(`GET ${url} HTTP/1.1\r\nHost: keyturn\r\n\r\n`);
      const [answer] = await once(connection, 'data');
      connection.destroy();
      expect(String(answer)).toContain('HTTP/1.1 503');
      expect(server.shedCount()).toBe(1);
    },
  );

  test('fault 73: rejects requests with 503 while the event loop lags by more than a second', async () => {
    const server = await serve({ lag: 1_001 });
    expect((await server.get('/api/client')).statusCode).toBe(503);
    server.setLag(900);
    const next = server.get('/api/client');
    await server.waitForRequests(1);
    server.release();
    expect((await next).statusCode).toBe(200);
  });

  test('does not count pipelined requests after their connection has broken', async () => {
    const server = await serve();
    await app.listen({ host: '127.0.0.1', port: 0 });
    const { port } = app.server.address() as AddressInfo;
    const connections = () =>
      new Promise<number>((found) => app.server.getConnections((_error, count) => found(count)));
    // If a broken connection were still counted, the next round would have room for fewer requests.
    for (let round = 0; round < 3; round += 1) {
      const connection = connect(port, '127.0.0.1');
      connection.write('GET /api/client HTTP/1.1\r\nHost: keyturn\r\n\r\n'.repeat(2));
      await server.waitForRequests(2);
      expect((await server.get('/api/client')).statusCode).toBe(503);
      connection.destroy();
      await expect.poll(connections).toBe(0);
      server.release();
    }
  });

  test.each(['/healthz', '/api/webhooks/stripe', '/api/payments/1'])(
    'load shedding never rejects %s',
    async (url) => {
      const server = await serve({ lag: 5_000 });
      const answer = server.get(url);
      await server.waitForRequests(1);
      server.release();
      expect((await answer).statusCode).toBe(200);
    },
  );
});
