import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { createHttpServer } from './answer-signed-requests.ts';

const answered: object[] = [];
const logged: object[] = [];
let isClosing = false;
const server = createHttpServer((_request, response) => void response.end('fastify'), {
  signedRequests: {
    prefix: '/apps/',
    answer: async ({ url }, response) => {
      if (url === '/apps/broken') throw new Error('broken');
      const status = url === '/apps/forged' ? 401 : 200;
      response.writeHead(status).end('signed');
      return status;
    },
    addressOf: () => '192.0.2.1',
  },
  onAnswered: ({ seconds: _, ...labels }) => answered.push(labels),
  log: () =>
    ({ info: (line: object) => logged.push(line), error: (error: object) => logged.push(error) }) as never,
  isClosing: () => isClosing,
  arrival: 30_000,
  http: {},
});

afterEach(() => server.close());

test('answers signed requests without Fastify, counts them and logs only the rejected ones', async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const ask = async (path: string) => (await fetch(url + path, { method: 'POST' })).text();
  expect(await ask('/apps/ok')).toBe('signed');
  expect(logged).toEqual([]);
  expect(await ask('/application')).toBe('fastify');
  expect(await ask('/apps/forged')).toBe('signed');
  const counted = { method: 'POST', route: '/apps/*' };
  expect(answered).toEqual([
    { ...counted, status: 200 },
    { ...counted, status: 401 },
  ]);
  expect(logged).toEqual([
    { event: 'access-denied', ...counted, path: '/apps/forged', status: 401, address: '192.0.2.1' },
  ]);
  await expect(ask('/apps/broken')).rejects.toThrow();
  expect(logged).toHaveLength(2);
});

test('closes each connection after its next response while the server is about to close', async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const connectionOf = async (path: string) =>
    (await fetch(url + path, { method: 'POST' })).headers.get('connection');
  expect(await connectionOf('/application')).toBe('keep-alive');
  isClosing = true;
  expect(await connectionOf('/application')).toBe('close');
  expect(await connectionOf('/apps/ok')).toBe('close');
  isClosing = false;
});
