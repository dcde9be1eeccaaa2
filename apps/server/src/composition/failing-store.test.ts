import { signatureConsent } from '@keyturn/contract';
import {
  anyPdf,
  buildCase,
  buildFirm,
  buildStoredDocument,
  createTestServer,
  s3Settings,
  type TestServer,
} from '@keyturn/testkit';
import type { InjectOptions } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createS3Store } from '../adapters/files/s3-store.ts';
import { createFeedKey } from '../doors/feed/keys/feed-keys.ts';
import { operator } from '../testing/feed-caller.ts';
import { type FaultyProxy, type S3Fault, startFaultyProxy } from '../testing/s3/faulty-proxy.ts';
import { type FixtureS3, startFixtureS3 } from '../testing/s3/fixture-s3.ts';

let s3: FixtureS3;
let proxy: FaultyProxy;
let server: TestServer;
let feedKey: string;
const log: string[] = [];
const timeouts = { connection: 2_000, answer: 2_000 };
beforeAll(async () => {
  s3 = await startFixtureS3(['documents'], { checksSignatures: false });
  proxy = await startFaultyProxy(s3.url);
  server = await createTestServer({
    env: { ...s3Settings({ ...s3, url: proxy.url }), LOG_LEVEL: 'info' },
    storeTimeouts: timeouts,
    logTo: { write: (line) => log.push(line) },
  });
  await buildFirm(server.database);
  const created = await createFeedKey(
    { database: server.database, clock: () => new Date() },
    { name: 'a system', scopes: ['documents:write'], expiresAt: null, actor: operator },
  );
  feedKey = created.secret;
});
afterAll(async () => {
  await server.stop();
  await proxy.stop();
  await s3.stop();
});

/** The store as it is, without faults. */
const direct = () =>
  createS3Store({
    bucket: 'documents',
    prefix: '',
    region: 'us-east-1',
    endpoint: s3.url,
    credentials: s3.credentials,
    usesPathStyle: true,
    alertOperator: () => {},
    clock: () => new Date(),
  });

/** A document to sign, and functions that use it as a client and as a system of the firm do. */
async function prepare() {
  const files = direct();
  const built = await buildCase(server.database, {
    clients: [{ firstName: 'Amelia', lastName: 'Okafor' }],
  });
  const document = await buildStoredDocument(server.database, files, {
    matterId: built.matterId,
    signing: 'simple',
    bindsOn: 'exchange',
  });
  const headers = await server.signInAs(built.clientId);
  const content = anyPdf();
  const answerOf = async (request: InjectOptions) => {
    const answer = await server.app.inject(request);
    const isJson = String(answer.headers['content-type']).startsWith('application/json');
    return { status: answer.statusCode, body: isJson ? answer.json() : answer.rawPayload };
  };
  return {
    read: () => answerOf({ url: `/api/documents/${document.id}/content`, headers }),
    sign: () =>
      answerOf({
        method: 'POST',
        url: `/api/documents/${document.id}/signature`,
        headers,
        payload: {
          sha256: document.sha256,
          name: 'Amelia Okafor',
          consent: signatureConsent('exchange'),
          drawing: { width: 9, height: 9, strokes: [[1, 2, 3, 4]] },
        },
      }),
    upload: () =>
      answerOf({
        method: 'PUT',
        url: `/api/feed/documents/${document.id}-new/file`,
        headers: { authorization: `Bearer ${feedKey}`, 'content-type': 'application/pdf' },
        payload: content,
      }),
    counts: async () => {
      const { rows } = await server.pool.query(
        `select (select count(*)::int from document_signatures where document_id = $1) as signatures,
          (select count(*)::int from feed_files where reference = $2) as uploads`,
        [document.id, `${document.id}-new`],
      );
      return rows[0];
    },
  };
}

test.each<[string, { fault: S3Fault; reads: object; uploads: object; signs: object; reason: RegExp }]>([
  [
    'does not answer',
    {
      fault: 'silent',
      reads: { status: 503, body: { code: 'unavailable' } },
      uploads: { status: 503, body: { code: 'unavailable' } },
      signs: { status: 503, body: { code: 'unavailable' } },
      reason: /does not answer in time/,
    },
  ],
  [
    'refuses access',
    {
      fault: 'refuses',
      reads: { status: 503, body: { code: 'unavailable' } },
      uploads: { status: 503, body: { code: 'unavailable' } },
      signs: { status: 503, body: { code: 'unavailable' } },
      reason: /refuses access to documents/,
    },
  ],
  [
    'is full',
    {
      fault: 'full',
      reads: { status: 200 },
      uploads: { status: 503, body: { code: 'unavailable' } },
      // The signature is in the database, and its copy is made once there is space.
      signs: { status: 200 },
      reason: /is full/,
    },
  ],
  [
    'forgets what it was given',
    {
      fault: 'forgets',
      reads: { status: 200 },
      uploads: { status: 503, body: { code: 'unavailable' } },
      signs: { status: 200 },
      reason: /does not return the bytes that it was given/,
    },
  ],
  [
    'returns other bytes',
    {
      fault: 'alters',
      reads: { status: 409, body: { code: 'document_damaged' } },
      uploads: { status: 503, body: { code: 'unavailable' } },
      signs: { status: 409, body: { code: 'document_damaged' } },
      reason: /the file was altered|does not return the bytes/,
    },
  ],
])(
  'a store that %s fails the requests that need it, loses nothing, and works once it recovers',
  async (_name, { fault, reads, uploads, signs, reason }) => {
    const { read, upload, sign, counts } = await prepare();
    log.length = 0;
    proxy.fail(fault);
    const [reading, uploading, signing] = await Promise.all([read(), upload(), sign()]);
    expect({ reading, uploading, signing }).toMatchObject({
      reading: reads,
      uploading: uploads,
      signing: signs,
    });
    const isSigned = signing.status === 200;
    expect(await counts()).toEqual({ signatures: isSigned ? 1 : 0, uploads: 0 });
    expect(log.join('')).toMatch(reason);
    proxy.fail('none');
    expect(await upload()).toMatchObject({ status: 200 });
    expect(await sign()).toMatchObject({ status: isSigned ? 409 : 200 });
    expect(await counts()).toEqual({ signatures: 1, uploads: 1 });
    const copy = await read();
    expect(copy.status).toBe(200);
    expect(copy.body.subarray(0, 4).toString()).toBe('%PDF');
  },
);

test('a store that is unavailable when a server starts is used once it recovers and turns out to be the right one', async () => {
  proxy.fail('full');
  const away = await createTestServer({
    env: { ...s3Settings({ ...s3, url: proxy.url }), LOG_LEVEL: 'info' },
    storeTimeouts: timeouts,
    logTo: { write: (line) => log.push(line) },
  });
  try {
    expect((await away.app.inject({ url: '/readyz' })).statusCode).toBe(200);
    expect(log.join('')).toMatch(/is full .*, so documents cannot be read or stored now/);
    proxy.fail('none');
    const built = await buildCase(away.database);
    const { id } = await buildStoredDocument(away.database, direct(), { matterId: built.matterId });
    const headers = await away.signInAs(built.clientId);
    const statusOfDocument = async () =>
      (await away.app.inject({ url: `/api/documents/${id}/content`, headers })).statusCode;
    await away.pool.query('update shared_resources set document_store_id = gen_random_uuid()');
    expect(await statusOfDocument()).toBe(503);
    await away.pool.query('update shared_resources set document_store_id = null');
    expect(await statusOfDocument()).toBe(200);
  } finally {
    await away.stop();
  }
});

test('a server does not start with a bucket that does not exist, and names the settings', async () => {
  const env = { ...s3Settings(s3), KEYTURN_S3_BUCKET: 'no-such-bucket' };
  await expect(createTestServer({ env })).rejects.toThrow(
    'The document store has no bucket no-such-bucket. The settings are KEYTURN_S3_….',
  );
});
