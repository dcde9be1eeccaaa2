import { feedKinds } from '@keyturn/contract/staff';
import {
  anyPdf,
  createImportDependencies,
  createTestServer,
  type TestServer,
  type TestServerOptions,
} from '@keyturn/testkit';
import { fixtureFeed } from '@keyturn/testkit/fixture-feed.ts';
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import { createFeedKey } from '../doors/feed/keys/feed-keys.ts';
import { importFeed } from '../doors/import/import-feed.ts';
import { verifyAudit } from '../records/audit/verify-audit.ts';
import type { FeedScope } from '../schema/tables/feed-key-tables.ts';

export interface Sent {
  /** The scopes of the key; by default all. */
  secret?: string;
  headers?: Record<string, string>;
  /** JSON, a file, or unparsed text. */
  payload?: unknown;
}

const everything: FeedScope[] = [
  ...feedKinds.flatMap((list): FeedScope[] => [`${list}:read`, `${list}:write`]),
  'payouts:write',
  'changes:read',
];
export const operator = { kind: 'command_line', id: null, name: 'rhian' } as const;
export const frame = { format: fixtureFeed.format, as_of: fixtureFeed.as_of };

/**
 * Starts a server with a firm for all tests of a file, and makes calls of its feed. Each test has a separate key.
 * @param prepare returns options for the server before it starts
 */
export function withFeedServer(
  firm: object = fixtureFeed.firm,
  prepare: () => Promise<TestServerOptions> = async () => ({}),
) {
  const server = {} as TestServer;
  const key = { id: '', secret: '' };
  const newKey = (...scopes: FeedScope[]) =>
    createFeedKey(
      { database: server.database, clock: () => new Date() },
      { name: 'Case management', scopes, expiresAt: null, actor: operator },
    );
  const importing = (feed: object) =>
    importFeed(createImportDependencies(server), { feed, folder: '.', as: 'real', actor: operator });
  beforeAll(async () => {
    Object.assign(server, await createTestServer(await prepare()));
    await importing({ ...frame, firm });
  });
  afterAll(async () => {
    expect(await verifyAudit(server.database)).toMatchObject({ isIntact: true });
    await server.stop();
  });
  beforeEach(async () => {
    // A firm has few keys at a time.
    await rows('update feed_keys set revoked_at = now() where revoked_at is null');
    Object.assign(key, await newKey(...everything));
  });

  const rows = async (sql: string, values: unknown[] = []) => (await server.pool.query(sql, values)).rows;
  const call = async (method: 'GET' | 'PUT' | 'POST' | 'DELETE', path: string, sent: Sent = {}) => {
    const { secret = key.secret, headers = {}, payload } = sent;
    const isRaw = Buffer.isBuffer(payload) || typeof payload === 'string';
    const mediaType = Buffer.isBuffer(payload)
      ? 'application/pdf'
      : isRaw
        ? 'application/x-ndjson'
        : 'application/json';
    const answer = await server.app.inject({
      method,
      url: `/api/feed${path}`,
      remoteAddress: '203.0.113.7',
      headers: {
        authorization: `Bearer ${secret}`,
        ...(payload === undefined ? {} : { 'content-type': mediaType }),
        ...headers,
      },
      ...(payload === undefined ? {} : { payload: isRaw ? payload : JSON.stringify(payload) }),
    });
    return { status: answer.statusCode, body: answer.json(), location: answer.headers.location };
  };

  let cases = 0;
  /**
   * Sends a case with one record of each kind except documents.
   * @returns the case, and the suffix of its references
   */
  const sendCase = async () => {
    const { mark, feed } = markedFeed(`-${process.pid}-${++cases}`);
    const { documents: _documents, ...sent } = feed;
    for (const search of sent.searches) delete search.result_document;
    expect(await call('POST', '/batches', { payload: sent })).toMatchObject({
      body: { data: { rejected: [] } },
    });
    return { mark, feed: sent };
  };
  /** @returns the ids of a sent case, for builders */
  const idsOf = async (mark: string) =>
    (
      await rows(
        `select s.id as "caseSearchId", m.case_id as "caseId", c.client_id as "clientId" from case_searches s
         join matters m on m.id = s.matter_id join case_clients c on c.case_id = m.case_id where s.reference = $1`,
        [`S1${mark}`],
      )
    )[0];
  const sendDocument = async (mark: string) => {
    await call('PUT', `/documents/D1${mark}/file`, { payload: anyPdf() });
    return call('PUT', `/documents/D1${mark}`, { payload: documentOf(mark) });
  };
  return { server, key, newKey, importing, rows, call, sendCase, sendDocument, idsOf };
}

export function documentOf(mark: string) {
  const [document] = fixtureFeed.documents;
  return { ...document, reference: `D1${mark}`, matter: `M1${mark}` };
}

/**
 * Returns the fixture with a bill in the form that can be sent over HTTP: without firm, with a suffix at
 * its references.
 */
export function markedFeed(mark: string, change: (feed: object) => object = (feed) => feed) {
  const { firm: _firm, ...lists } = fixtureFeed;
  const [client] = lists.clients;
  const bills = [
    {
      reference: 'B1',
      case: 'K1',
      number: '1',
      description: 'Our fee',
      issued_on: '2026-11-20',
      net: 1000,
      vat_rate: 20,
      vat: 200,
      status: 'issued',
    },
  ];
  const feed = change({ ...lists, bills, clients: [{ ...client, email: `zoe${mark}@example.test` }] });
  const text = JSON.stringify(feed).replaceAll(/"(C1|K1|M1|S1|T1|H1|D1|B1)"/g, `"$1${mark}"`);
  return { mark, feed: JSON.parse(text) };
}
