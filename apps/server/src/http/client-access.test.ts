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
import { readCaseSearches } from '../features/searches/read-case-searches.ts';
import { createSessions } from '../features/sign-in/sessions.ts';
import { createClientAccess } from './client-access.ts';

const stored = withTestDatabase();
const counted = withStatementCount(stored);

/** A signed-in client who sends requests directly to the access of a server. */
async function openAccess() {
  const clock = createTestClock('2026-05-04T09:00:00Z');
  const sessions = createSessions({ database: counted.database, clock, expiresIn: 43_200, idleAfter: 1_800 });
  const { clientId } = await buildCase(stored.database, { clients: [{ passwordHash: 'the hash' }] });
  const session = await sessions.start(clientId, 'the hash');
  const countRead = createRateLimiter({ requests: 3, window: 60_000 });
  const limits = { countAddress: async () => {}, countRead, countChange: countRead };
  const access = createClientAccess(sessions.authenticate, limits);
  const read = async () => {
    const request = {
      method: 'GET',
      headers: { authorization: `Bearer ${session?.token}` },
    } as FastifyRequest;
    await access.admitRead(request);
    return access.read(request, readCaseSearches({}));
  };
  return { clock, clientId, sessions, read };
}

describe('a read of a signed-in client', () => {
  test('finds the session and the data in one statement once the server knows whose the token is', async () => {
    const { read } = await openAccess();
    expect(await counted.listStatementsOf(read)).toEqual(['find_session', 'read_case_searches']);
    expect(await counted.listStatementsOf(read)).toEqual(['read_case_searches']);
  });

  test('needs no statement while the client has used up their limit', async () => {
    const { read } = await openAccess();
    for (let times = 0; times < 3; times += 1) await read();
    const rejected = () => expect(read()).rejects.toMatchObject({ code: 'too_many_requests' });
    expect(await counted.countStatementsOf(rejected)).toBe(0);
  });

  test('is rejected after the session was revoked', async () => {
    const { clientId, sessions, read } = await openAccess();
    expect(await read()).toHaveLength(1);
    await sessions.revokeSessionsOf(clientId);
    await expect(read()).rejects.toMatchObject({ code: 'unauthenticated' });
  });

  test('is rejected once the session was idle for too long', async () => {
    const { clock, read } = await openAccess();
    expect(await read()).toHaveLength(1);
    clock.advance(1_800_000);
    await expect(read()).rejects.toMatchObject({ code: 'unauthenticated' });
  });
});

describe('a client who signs out', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await createTestServer();
  });
  afterAll(() => server.stop());

  test.each(['/client', '/case-searches', '/case-searches/{id}', '/milestones', '/case-history'])(
    'gets 401 from %s, which the same token has read before',
    async (path) => {
      const { clientId, caseSearchId } = await buildCase(server.database);
      const headers = await server.signInAs(clientId);
      const url = `/api${path.replace('{id}', caseSearchId)}`;
      expect((await server.app.inject({ url, headers })).statusCode).toBe(200);
      await server.app.inject({ method: 'POST', url: '/api/logout', headers });
      const answer = await server.app.inject({ url, headers });
      expect(answer.statusCode).toBe(401);
      expect(answer.body).not.toContain(caseSearchId);
    },
  );
});
