import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import serveStatic from '@fastify/static';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { answerParserError } from './answer-parser-error.ts';
import { createHttpServer } from './answer-signed-requests.ts';

const folder = mkdtempSync(join(tmpdir(), 'keyturn-responses-'));
let app: FastifyInstance;
let port: number;

beforeAll(async () => {
  writeFileSync(join(folder, 'large.js'), Buffer.alloc(3_000_000, '/'));
  app = Fastify({
    serverFactory: (answer) =>
      createHttpServer(answer, {
        signedRequests: undefined,
        onAnswered: undefined,
        log: () => app.log,
        arrival: 30_000,
        isClosing: () => false,
        http: {},
      }),
    clientErrorHandler: answerParserError,
  });
  await app.register(serveStatic, { root: folder });
  app.get('/slow', async () => {
    await new Promise((done) => setTimeout(done, 200));
    return { carried: 'out' };
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  ({ port } = app.server.address() as AddressInfo);
});
afterAll(async () => {
  await app.close();
  rmSync(folder, { recursive: true });
});

/** Sends requests at once on one connection that reads no answer. */
async function send(count: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1').pause();
  await once(socket, 'connect');
  socket.write('GET /large.js HTTP/1.1\r\nHost: keyturn\r\n\r\n'.repeat(count));
  return socket;
}

describe('pipelined requests', () => {
  test.runIf(process.platform === 'linux')(
    'fault 65: pipelined requests leave no file open when 125 connections with eight each break',
    async () => {
      const openFiles = () => readdirSync('/proc/self/fd').length;
      const before = openFiles();
      const sockets = await Promise.all(Array.from({ length: 125 }, () => send(8)));
      await expect.poll(openFiles, { timeout: 10_000 }).toBeGreaterThan(before + 1_000);
      for (const socket of sockets) socket.destroy();
      await expect.poll(openFiles, { timeout: 10_000 }).toBeLessThan(before + 20);
    },
  );

  test.each([
    ['is not HTTP', 'nonsense\r\n\r\n', ''],
    ['follows Connection: close', 'GET /slow HTTP/1.1\r\nHost: keyturn\r\n\r\n', 'Connection: close\r\n'],
  ])('a pipelined request that %s does not affect the answer to the one before', async (_, next, header) => {
    const socket = connect(port, '127.0.0.1');
    let answer = '';
    socket.on('data', (chunk) => (answer += chunk)).on('error', () => {});
    socket.write(`GET /slow HTTP/1.1\r\nHost: keyturn\r\n${header}\r\n${next}`);
    await once(socket, 'close');
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    expect(answer).toContain('{"carried":"out"}');
    expect(answer.split('HTTP/1.1 ').length).toBe(2);
  });

  test('fault 65: a connection with more than eight requests that wait for an answer is closed', async () => {
    const socket = await send(9);
    let received = 0;
    socket.on('data', (chunk: Buffer) => (received += chunk.length)).on('error', () => {});
    await once(socket.resume(), 'close');
    expect(received).toBeLessThan(9 * 3_000_000);
    const next = await send(8);
    const [answer] = await once(next.resume(), 'data');
    expect(String(answer)).toContain('HTTP/1.1 200');
    next.destroy();
  });
});
