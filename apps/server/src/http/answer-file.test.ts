import { type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { type CallKey, calls } from '@keyturn/contract';
import type { FastifyInstance } from 'fastify';
import { afterEach, expect, test, vi } from 'vitest';
import { DomainError } from '../platform/domain-error.ts';
import type { CallHandlers, FileAnswer } from './call-handlers.ts';
import { createServer } from './create-server.ts';

const megabyte = 1024 * 1024;

let app: FastifyInstance | undefined;
afterEach(async () => {
  app?.server.closeAllConnections();
  await app?.close();
});

/** What was asked of the file, and how many bytes of it were taken from the disk. */
interface Watched {
  ranges: { start: number; end: number }[];
  taken: number;
  /** Opened and neither sent to the end nor broken off. */
  open: number;
}

/** A server with one document: 100 MB unless told otherwise, of which the disk gives so much. */
async function serve({
  size = 100 * megabyte,
  onDisk = size,
  patience = 30_000,
}: {
  size?: number;
  onDisk?: number;
  patience?: number;
} = {}) {
  const watched: Watched = { ranges: [], taken: 0, open: 0 };
  const open = (range: { start: number; end: number }) => {
    watched.ranges.push(range);
    watched.open += 1;
    let at = range.start;
    return new Readable({
      read() {
        const length = Math.min(64 * 1024, Math.min(range.end + 1, onDisk) - at);
        at += length;
        watched.taken += Math.max(length, 0);
        this.push(length > 0 ? Buffer.alloc(length, at % 251) : null);
      },
      destroy(error, done) {
        watched.open -= 1;
        done(error);
      },
    });
  };
  const file: FileAnswer = {
    content: { size, open },
    mediaType: 'application/pdf',
    fileName: 'contract.pdf',
  };
  const others = Object.fromEntries((Object.keys(calls) as CallKey[]).map((key) => [key, async () => []]));
  app = await createServer({
    handlers: {
      ...(others as unknown as CallHandlers),
      'GET /documents/{id}/content': async ({ params }) => {
        if (params.id === 'damaged') throw new DomainError('document_damaged');
        return file;
      },
    },
    authenticate: async (token) => ({ id: token, sessionHash: Buffer.alloc(32) }),
    logLevel: 'silent',
    trustedProxies: 0,
    version: '1',
    apiPlugins: [],
    isReady: async () => true,
    readMaintenance: async () => ({ general: null, case_history: null }),
    downloadPatience: patience,
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  /** Nothing of the body is read until somebody does. */
  const get = (headers: object = {}, { client = 'amelia', id = 'x' } = {}) =>
    new Promise<IncomingMessage>((done, fail) => {
      const asked = request({
        port,
        host: '127.0.0.1',
        path: `/api/documents/${id}/content`,
        headers: { authorization: `Bearer ${client}`, ...headers },
        agent: false,
      });
      asked.on('response', (answer) => {
        answer.on('error', () => {});
        done(answer);
      });
      asked.on('error', fail);
      asked.end();
    });
  return { get, watched };
}

test('a file goes out whole, and of a part no more is opened than the part', async () => {
  const { get, watched } = await serve({ size: megabyte });
  const whole = await get();
  expect(whole.headers['content-length']).toBe(String(megabyte));
  expect(await buffer(whole)).toHaveLength(megabyte);
  const part = await get({ range: 'bytes=10-10' });
  expect(part.statusCode).toBe(206);
  expect(part.headers['content-range']).toBe(`bytes 10-10/${megabyte}`);
  expect(await buffer(part)).toHaveLength(1);
  expect(watched.ranges).toEqual([
    { start: 0, end: megabyte - 1 },
    { start: 10, end: 10 },
  ]);
  expect((await get({ range: `bytes=${megabyte}-` })).statusCode).toBe(416);
  expect(watched.open).toBe(0);
});

test('of a file that nobody reads only what is on the way is taken from the disk', async () => {
  const { get, watched } = await serve();
  const answer = await get();
  await vi.waitFor(() => expect(watched.taken).toBeGreaterThan(0));
  let before = -1;
  while (before !== watched.taken) {
    before = watched.taken;
    await wait(200);
  }
  expect(watched.taken).toBeLessThan(20 * megabyte);
  expect(await buffer(answer)).toHaveLength(100 * megabyte);
});

test('a download of which nothing is taken is broken off; one that goes on slowly is not', async () => {
  const { get, watched } = await serve({ patience: 1_000, size: 30 * megabyte });
  const still = await get();
  const broken = new Promise((done) => still.on('close', done));
  await vi.waitFor(() => expect(watched.open).toBe(0), { timeout: 5_000 });
  still.resume();
  await broken;
  expect(still.complete).toBe(false);

  const slow = await get();
  let length = 0;
  for await (const chunk of slow) {
    const whole = Math.floor(length / megabyte);
    length += chunk.length;
    // Nearly two seconds in all: longer than it may stand still.
    if (Math.floor(length / megabyte) > whole) await wait(60);
  }
  expect(length).toBe(30 * megabyte);
});

test('a file that is shorter than it was when it was checked never looks whole', async () => {
  const { get } = await serve({ size: megabyte, onDisk: megabyte - 1 });
  await expect(buffer(await get())).rejects.toThrow('aborted');
});

test('a client has six downloads under way at most, and others have theirs', async () => {
  const { get, watched } = await serve();
  const answers = await Promise.all(Array.from({ length: 6 }, () => get()));
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200, 200, 200]);
  const refused = await get({ range: 'bytes=0-0' });
  expect(refused.statusCode).toBe(429);
  expect(JSON.parse((await buffer(refused)).toString())).toMatchObject({ code: 'too_many_requests' });
  expect((await get({ range: 'bytes=0-0' }, { client: 'tom' })).statusCode).toBe(206);
  // One is read to its end, another given up: there is room for two.
  await buffer(answers[0] as IncomingMessage);
  answers[1]?.destroy();
  await vi.waitFor(() => expect(watched.open).toBe(4));
  await wait(50);
  expect((await get()).statusCode).toBe(200);
  expect((await get()).statusCode).toBe(200);
  expect((await get()).statusCode).toBe(429);
});

test('downloads that were refused do not count', async () => {
  const { get } = await serve();
  for (let time = 0; time < 10; time += 1) {
    const refused = await get({}, { id: 'damaged' });
    expect(refused.statusCode).toBe(409);
    await buffer(refused);
  }
});
