import { PassThrough } from 'node:stream';
import type { Bill } from '@keyturn/contract';
import {
  buildCase,
  createTestClock,
  createTestServer,
  type TestServer,
  withStatementCount,
  withTestDatabase,
} from '@keyturn/testkit';
import type { FastifyRequest } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createRateLimiter } from '../adapters/limits/rate-limiters.ts';
import { readCaseSearches } from '../case-file/searches/read-case-searches.ts';
import { createSessions } from '../people/clients/sessions.ts';
import { endSessionsOf } from '../people/credentials/account-sessions.ts';
import { JsonText } from '../platform/reads/client-read.ts';
import { sessions } from '../schema/tables/tables.ts';
import type { AnsweredCalls } from './call-handlers.ts';
import { createClientAccess } from './client-access.ts';
import { createServer } from './create-server.ts';

const stored = withTestDatabase();
const counted = withStatementCount(stored);

/** A signed-in client who sends requests directly to the access of a server. */
async function openAccess() {
  const clock = createTestClock('2026-05-04T09:00:00Z');
  const started = createSessions({ database: counted.database, clock, expiresIn: 43_200, idleAfter: 1_800 });
  const { clientId } = await buildCase(stored.database, { clients: [{ passwordHash: 'the hash' }] });
  const session = await started.start(clientId, 'the hash');
  const countRead = createRateLimiter({ requests: 3, window: 60_000 });
  const limits = { countAddress: async () => {}, countRead, countChange: countRead };
  const access = createClientAccess(started.authenticate, { isHttps: false, origin: null }, limits);
  const read = async () => {
    const request = {
      method: 'GET',
      headers: { authorization: `Bearer ${session?.token}` },
    } as FastifyRequest;
    await access.admitRead(request);
    return access.read(request, readCaseSearches({}));
  };
  return { clock, clientId, read };
}

describe('a read of a signed-in client', () => {
  test('a read of a signed-in client finds the session and the data in one statement once the server knows whose the token is', async () => {
    const { read } = await openAccess();
    expect(await counted.listStatementsOf(read)).toEqual(['find_session', 'read_case_searches']);
    expect(await counted.listStatementsOf(read)).toEqual(['read_case_searches']);
  });

  test('a read of a signed-in client needs no statement while the client has used up their limit', async () => {
    const { read } = await openAccess();
    for (let times = 0; times < 3; times += 1) await read();
    const rejected = () => expect(read()).rejects.toMatchObject({ code: 'too_many_requests' });
    expect(await counted.countStatementsOf(rejected)).toBe(0);
  });

  test('a read of a signed-in client is rejected after the session was revoked', async () => {
    const { clientId, clock, read } = await openAccess();
    expect(await read()).toBeInstanceOf(JsonText);
    await endSessionsOf(stored.database, sessions, { ownerId: clientId, now: clock() });
    await expect(read()).rejects.toMatchObject({ code: 'unauthenticated' });
  });

  test('a read of a revoked session does not count towards the limit of the client', async () => {
    const { clientId, clock, read } = await openAccess();
    await read();
    await endSessionsOf(stored.database, sessions, { ownerId: clientId, now: clock() });
    for (let times = 0; times < 5; times += 1)
      await expect(read()).rejects.toMatchObject({ code: 'unauthenticated' });
  });

  test('a read of a signed-in client is rejected once the session was idle for too long', async () => {
    const { clock, read } = await openAccess();
    expect(await read()).toBeInstanceOf(JsonText);
    clock.advance(1_800_000);
    await expect(read()).rejects.toMatchObject({ code: 'unauthenticated' });
  });
});

describe('an answer that PostgreSQL writes', () => {
  async function answerWith(text: string) {
    const app = await createServer({
      handlers: { 'GET /bills': { read: () => ({}) } } as unknown as AnsweredCalls,
      authenticate: async () => ({ id: 'a', sessionHash: Buffer.alloc(32), answer: new JsonText(text) }),
      logLevel: 'silent',
      trustedProxies: 0,
      version: '1.0.0',
      apiPlugins: [],
      isReady: async () => true,
      readMaintenance: async () => ({ general: null, case_history: null }),
      provesAnswers: true,
    });
    const answer = await app.inject({ url: '/api/bills', headers: { authorization: 'Bearer a' } });
    await app.close();
    return answer;
  }

  test('an answer that PostgreSQL writes is sent unchanged', async () => {
    const answer = await answerWith(' [] ');
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.body).toBe('{"data": [] }');
  });

  test.each([
    ['a column that the contract does not have', { ...bill, feed_hash: '1' }],
    ['a value of another type', { ...bill, gross: '1' }],
    ['a missing value', { ...bill, gross: undefined }],
  ])(
    'an answer that PostgreSQL writes fails with %s in tests and in development',
    async (_difference, entry) => {
      expect((await answerWith(JSON.stringify([bill]))).statusCode).toBe(200);
      expect((await answerWith(JSON.stringify([entry]))).statusCode).toBe(500);
    },
  );
});

const bill: Bill = {
  id: '1',
  created_at: '2026-05-04T09:00:00.000Z',
  updated_at: '2026-05-04T09:00:00.000Z',
  matter_id: null,
  number: '1',
  description: 'Legal fees',
  issued_on: '2026-05-04',
  due_on: null,
  due_on_completion: false,
  is_due: true,
  net: 1,
  vat: 0,
  gross: 1,
  paid: 0,
  left: 1,
  payable: 1,
};

describe('a client who signs out', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await createTestServer();
  });
  afterAll(() => server.stop());

  test.each([
    '/client',
    '/case-searches',
    '/case-searches/{id}',
    '/milestones',
    '/case-history',
    '/documents',
    '/bills',
    '/payments',
  ])('a client who signs out gets 401 from %s, which the same token has read before', async (path) => {
    const { clientId, caseSearchId } = await buildCase(server.database);
    const headers = await server.signInAs(clientId);
    const url = `/api${path.replace('{id}', caseSearchId)}`;
    expect((await server.app.inject({ url, headers })).statusCode).toBe(200);
    await server.app.inject({ method: 'POST', url: '/api/logout', headers });
    const answer = await server.app.inject({ url, headers });
    expect(answer.statusCode).toBe(401);
    expect(answer.body).not.toContain(caseSearchId);
  });

  test('a request of a client whose session ends before all of it has arrived changes nothing', async () => {
    const { clientId, id } = await buildCase(server.database);
    const headers = await server.signInAs(clientId);
    await server.pool.query("update sessions set last_used_at = now() - interval '5 minutes'");
    const body = new PassThrough();
    const choosing = server.app.inject({
      method: 'PUT',
      url: '/api/client/active-case',
      headers: { ...headers, 'content-type': 'application/json' },
      payload: body,
    });
    body.write('{"id":');
    // The session was checked before the body is read.
    await expect
      .poll(() =>
        server.pool
          .query("select from sessions where client_id = $1 and last_used_at > now() - interval '1 minute'", [
            clientId,
          ])
          .then(({ rowCount }) => rowCount),
      )
      .toBe(1);
    await server.pool.query('update sessions set revoked_at = now() where client_id = $1', [clientId]);
    body.end(`"${id}"}`);
    expect((await choosing).json().code).toBe('unauthenticated');
    const { rows } = await server.pool.query('select active_case_id from clients where id = $1', [clientId]);
    expect(rows).toEqual([{ active_case_id: null }]);
  });
});
