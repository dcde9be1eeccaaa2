import { type AddressInfo, connect } from 'node:net';
import Fastify from 'fastify';
import { afterEach, describe, expect, test } from 'vitest';
import { shedLoad } from './shed-load.ts';

let app = Fastify();
afterEach(() => app.close());

/** A server whose answers wait until the test lets them go. */
async function serve({ maxConcurrentRequests = 2, lag = 0 } = {}) {
  app = Fastify();
  const waiting: (() => void)[] = [];
  let isLate = lag;
  let shed = 0;
  await app.register(shedLoad, { maxConcurrentRequests, lag: () => isLate, onShed: () => (shed += 1) });
  const answer = () => new Promise((done) => waiting.push(() => done({ ok: true })));
  for (const path of ['/api/client', '/api/payments/:id', '/api/webhooks/:provider', '/healthz'])
    app.get(path, answer);
  return {
    ask: (url: string) => app.inject({ url }),
    /** As many have been let in. */
    letIn: (count: number) => expect.poll(() => waiting.length).toBe(count),
    letGo: () => {
      for (const go of waiting.splice(0)) go();
    },
    late: (milliseconds: number) => {
      isLate = milliseconds;
    },
    shed: () => shed,
  };
}

describe('a server that cannot keep up', () => {
  test('asks who comes above its bound to come again, and lets in the next when one is done', async () => {
    const server = await serve();
    const first = [server.ask('/api/client'), server.ask('/api/client')];
    await server.letIn(2);
    const refused = await server.ask('/api/client');
    expect({ status: refused.statusCode, code: refused.json().code }).toEqual({
      status: 503,
      code: 'unavailable',
    });
    expect(refused.headers['retry-after']).toBe('5');
    expect(server.shed()).toBe(1);
    server.letGo();
    expect((await Promise.all(first)).map(({ statusCode }) => statusCode)).toEqual([200, 200]);
    const next = server.ask('/api/client');
    await server.letIn(1);
    server.letGo();
    expect((await next).statusCode).toBe(200);
  });

  test('does so while its event loop is late, and no longer', async () => {
    const server = await serve({ lag: 1_001 });
    expect((await server.ask('/api/client')).statusCode).toBe(503);
    server.late(900);
    const next = server.ask('/api/client');
    await server.letIn(1);
    server.letGo();
    expect((await next).statusCode).toBe(200);
  });

  test('holds no place for requests that came one behind the other on a connection that broke', async () => {
    const server = await serve();
    await app.listen({ host: '127.0.0.1', port: 0 });
    const { port } = app.server.address() as AddressInfo;
    const connections = () =>
      new Promise<number>((found) => app.server.getConnections((_error, count) => found(count)));
    // One place held by each would be noticed by the next.
    for (let round = 0; round < 3; round += 1) {
      const connection = connect(port, '127.0.0.1');
      connection.write('GET /api/client HTTP/1.1\r\nHost: keyturn\r\n\r\n'.repeat(2));
      await server.letIn(2);
      expect((await server.ask('/api/client')).statusCode).toBe(503);
      connection.destroy();
      await expect.poll(connections).toBe(0);
      server.letGo();
    }
  });

  test.each(['/healthz', '/api/webhooks/stripe', '/api/payments/1'])(
    'lets %s in all the same',
    async (url) => {
      const server = await serve({ lag: 5_000 });
      const answer = server.ask(url);
      await server.letIn(1);
      server.letGo();
      expect((await answer).statusCode).toBe(200);
    },
  );
});
