import { type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { type CallKey, calls } from '@keyturn/contract';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, expect, test } from 'vitest';
import { DomainError } from '../platform/domain-error.ts';
import { answerFile } from './answer-file.ts';
import type { CallHandlers, FileAnswer } from './call-handlers.ts';
import { createServer } from './create-server.ts';

const megabyte = 1024 * 1024;
const sha256 = 'ab'.repeat(32);

let app: FastifyInstance | undefined;
afterEach(async () => {
  app?.server.closeAllConnections();
  await app?.close();
});

/** How the file was read from the disk. */
interface DiskReads {
  ranges: { start: number; end: number }[];
  /** Bytes. */
  total: number;
  /** Streams that are open. */
  open: number;
  /** How often the whole file was verified. */
  verified: number;
}

/** Starts a server with one document of `size` bytes, of which the disk returns only `onDisk`. */
async function serve({
  size = 100 * megabyte,
  onDisk = size,
  patience = 30_000,
}: {
  size?: number;
  onDisk?: number;
  patience?: number;
} = {}) {
  const reads: DiskReads = { ranges: [], total: 0, open: 0, verified: 0 };
  const open = (range: { start: number; end: number }) => {
    reads.ranges.push(range);
    reads.open += 1;
    let at = range.start;
    return new Readable({
      read() {
        const length = Math.min(64 * 1024, Math.min(range.end + 1, onDisk) - at);
        at += length;
        reads.total += Math.max(length, 0);
        this.push(length > 0 ? Buffer.alloc(length, at % 251) : null);
      },
      destroy(error, done) {
        reads.open -= 1;
        done(error);
      },
    });
  };
  const file: FileAnswer = {
    content: {
      sha256,
      size,
      open,
      prepareToSend: async () => {
        reads.verified += 1;
      },
    },
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
  /** Requests the document. The body is not read until the test reads it. */
  const get = (headers: object = {}, { client = 'amelia', id = 'x', method = 'GET' } = {}) =>
    new Promise<IncomingMessage>((done, fail) => {
      const outgoing = request({
        port,
        method,
        host: '127.0.0.1',
        path: `/api/documents/${id}/content`,
        headers: { authorization: `Bearer ${client}`, ...headers },
        agent: false,
      });
      outgoing.on('response', (answer) => {
        answer.on('error', () => {});
        done(answer);
      });
      outgoing.on('error', fail);
      outgoing.end();
    });
  return { get, reads };
}

test('fault 64: sends a whole file or the requested range, and opens only that range on the disk', async () => {
  const { get, reads } = await serve({ size: megabyte });
  const whole = await get();
  expect(whole.headers['content-length']).toBe(String(megabyte));
  expect(await buffer(whole)).toHaveLength(megabyte);
  const part = await get({ range: 'bytes=10-10' });
  expect(part.statusCode).toBe(206);
  expect(part.headers['content-range']).toBe(`bytes 10-10/${megabyte}`);
  expect(await buffer(part)).toHaveLength(1);
  expect(reads.ranges).toEqual([
    { start: 0, end: megabyte - 1 },
    { start: 10, end: 10 },
  ]);
  expect((await get({ range: `bytes=${megabyte}-` })).statusCode).toBe(416);
  for (const range of ['bytes=0-0,5-5', `bytes=0-0${',1-1'.repeat(500)}`, 'bytes=x', 'lines=0-1']) {
    const answer = await get({ range });
    expect({ status: answer.statusCode, length: (await buffer(answer)).length }).toEqual({
      status: 200,
      length: megabyte,
    });
  }
  expect(reads.open).toBe(0);
});

test('verifies a file only when some of it is sent: not for HEAD, a known ETag or an invalid range', async () => {
  const { get, reads } = await serve({ size: megabyte });
  expect((await get({}, { method: 'HEAD' })).statusCode).toBe(200);
  expect((await get({ 'if-none-match': `"${sha256}"` })).statusCode).toBe(304);
  expect((await get({ range: `bytes=${megabyte}-` })).statusCode).toBe(416);
  expect(reads).toMatchObject({ verified: 0, total: 0 });
  expect((await get({ range: 'bytes=0-0' })).statusCode).toBe(206);
  expect(reads.verified).toBe(1);
});

test('fault 64: answers HEAD with the headers of a file, without opening it', async () => {
  const { get, reads } = await serve();
  const { statusCode, headers } = await get({}, { method: 'HEAD' });
  expect({ statusCode, length: headers['content-length'], etag: headers.etag }).toEqual({
    statusCode: 200,
    length: String(100 * megabyte),
    etag: `"${sha256}"`,
  });
  expect(reads).toEqual({ ranges: [], total: 0, open: 0, verified: 0 });
});

test('fault 64: answers HEAD for a file that is generated without reading it', async () => {
  let reads = 0;
  const generated = new Readable({
    read() {
      reads += 1;
      this.push(reads > 9 ? null : 'a row');
    },
  });
  app = Fastify();
  app.get('/', (request, reply) =>
    answerFile({ content: generated, mediaType: 'text/csv', fileName: 'x.csv' }, request, reply, 30_000),
  );
  const { statusCode, headers } = await app.inject({ method: 'HEAD', url: '/' });
  expect({ statusCode, type: headers['content-type'] }).toEqual({ statusCode: 200, type: 'text/csv' });
  await wait(10);
  expect({ reads, isDestroyed: generated.destroyed }).toEqual({ reads: 0, isDestroyed: true });
});

test('fault 64: continues an interrupted download if the file is still the same, and sends the whole file if not', async () => {
  const { get, reads } = await serve({ size: 10 * megabyte });
  const interrupted = await get();
  const { etag } = interrupted.headers;
  expect(etag).toBe(`"${sha256}"`);
  interrupted.destroy();
  await expect.poll(() => reads.open).toBe(0);
  const range = `bytes=${megabyte}-`;
  const rest = await get({ range, 'if-range': etag });
  expect(rest.statusCode).toBe(206);
  expect(rest.headers).toMatchObject({
    etag,
    'content-range': `bytes ${megabyte}-${10 * megabyte - 1}/${10 * megabyte}`,
    'cache-control': 'private, no-store',
  });
  expect(await buffer(rest)).toHaveLength(9 * megabyte);
  for (const condition of ['"another"', `W/${etag}`, 'Sat, 21 Nov 2026 12:00:00 GMT']) {
    const whole = await get({ range, 'if-range': condition });
    expect({ status: whole.statusCode, length: (await buffer(whole)).length }).toEqual({
      status: 200,
      length: 10 * megabyte,
    });
  }
  const before = reads.ranges.length;
  const known = await get({ 'if-none-match': `"another", ${etag}` });
  expect({ status: known.statusCode, length: (await buffer(known)).length }).toEqual({
    status: 304,
    length: 0,
  });
  expect(reads.ranges).toHaveLength(before);
});

test('fault 64: reads no more from the disk than fits into buffers while the client does not read', async () => {
  const { get, reads } = await serve();
  const answer = await get();
  await expect.poll(() => reads.total).toBeGreaterThan(0);
  let before = -1;
  while (before !== reads.total) {
    before = reads.total;
    await wait(200);
  }
  expect(reads.total).toBeLessThan(20 * megabyte);
  expect(await buffer(answer)).toHaveLength(100 * megabyte);
});

test('fault 64: aborts a stalled download, but not a slow one', async () => {
  const { get, reads } = await serve({ patience: 1_000, size: 30 * megabyte });
  const stalled = await get();
  const aborted = new Promise((done) => stalled.on('close', done));
  await expect.poll(() => reads.open).toBe(0);
  stalled.resume();
  await aborted;
  expect(stalled.complete).toBe(false);

  const slow = await get();
  let length = 0;
  for await (const chunk of slow) {
    const megabytes = Math.floor(length / megabyte);
    length += chunk.length;
    // Nearly two seconds in total, which is longer than a download may stall.
    if (Math.floor(length / megabyte) > megabytes) await wait(60);
  }
  expect(length).toBe(30 * megabyte);
});

test('fault 63: aborts the download of a file that has become shorter, so that it never looks complete', async () => {
  const { get } = await serve({ size: megabyte, onDisk: megabyte - 1 });
  await expect(buffer(await get())).rejects.toThrow('aborted');
});

test('fault 64: limits each client to six concurrent downloads', async () => {
  const { get, reads } = await serve();
  const answers = await Promise.all(Array.from({ length: 6 }, () => get()));
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200, 200, 200]);
  const rejected = await get({ range: 'bytes=0-0' });
  expect(rejected.statusCode).toBe(429);
  expect(JSON.parse((await buffer(rejected)).toString())).toMatchObject({ code: 'too_many_requests' });
  expect((await get({ range: 'bytes=0-0' }, { client: 'tom' })).statusCode).toBe(206);
  // One completes and another is aborted, which leaves room for two.
  await buffer(answers[0] as IncomingMessage);
  answers[1]?.destroy();
  await expect.poll(() => reads.open).toBe(4);
  await wait(50);
  expect((await get()).statusCode).toBe(200);
  expect((await get()).statusCode).toBe(200);
  expect((await get()).statusCode).toBe(429);
});

test('does not count failed downloads towards the limit', async () => {
  const { get } = await serve();
  for (let time = 0; time < 10; time += 1) {
    const failed = await get({}, { id: 'damaged' });
    expect(failed.statusCode).toBe(409);
    await buffer(failed);
  }
});
