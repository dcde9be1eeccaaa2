import { createHash } from 'node:crypto';
import { buildCase, withTestDatabase, withTestServer } from '@keyturn/testkit';
import { and, eq, sql } from 'drizzle-orm';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { caseClients, sessions } from '../../platform/tables.ts';
import {
  closeTestClients,
  openSignedInClient,
  type SignedInClient,
  testAppEnv,
} from '../../testing/real-time/channel-test-clients.ts';

const testDatabase = withTestDatabase();
const one = withTestServer({ database: testDatabase, env: testAppEnv });
const two = withTestServer({ database: testDatabase, env: testAppEnv });
let built: Awaited<ReturnType<typeof buildCase>>;
beforeAll(async () => {
  built = await buildCase(one.database, { clients: [{}, {}] });
});
afterEach(closeTestClients);

const channel = () => `private-case.${built.id}`;
const sessionOf = ({ headers }: SignedInClient) =>
  eq(sessions.tokenHash, createHash('sha256').update(headers.authorization.slice('Bearer '.length)).digest());

/** Resolves with the close codes of these clients and the milliseconds until they closed. */
async function closing(clients: SignedInClient[], act: () => PromiseLike<unknown>) {
  await act();
  const began = performance.now();
  const codes = await Promise.all(clients.map(({ closed }) => closed));
  return { codes, took: performance.now() - began };
}

describe('session expiry', () => {
  const endings: [string, (client: SignedInClient) => PromiseLike<unknown>][] = [
    ['signs out', ({ headers }) => one.app.inject({ method: 'POST', url: '/api/logout', headers })],
    [
      'is revoked',
      (client) => one.database.update(sessions).set({ revokedAt: new Date() }).where(sessionOf(client)),
    ],
    ['is deleted', (client) => one.database.delete(sessions).where(sessionOf(client))],
  ];
  test.each(endings)(
    'protocol 48: closes only the connections of a session that %s, within a second on every server',
    async (_, end) => {
      const first = await openSignedInClient(one, built.clientId);
      // Some connections are on the other server, or were authorised by another server than their own.
      const second = await openSignedInClient(two, built.clientId, { askAt: one, headers: first.headers });
      const stays = await openSignedInClient(two, built.clientId);
      for (const client of [first, second, stays]) expect(await client.listen(channel())).toBe(200);
      const { codes, took } = await closing([first, second], () => end(first));
      expect(codes).toEqual([4009, 4009]);
      expect(took).toBeLessThan(1_000);
      await stays.processed();
      expect(await stays.listen(`private-client.${built.clientId}`)).toBe(200);
    },
  );

  test.each<[string, object]>([
    ['expires', { expiresAt: sql`now() + interval '1500 ms'` }],
    ['reaches the idle timeout', { lastUsedAt: sql`now() - interval '1800 s' + interval '1500 ms'` }],
  ])('closes the connections of a session within a second after it %s', async (_, change) => {
    const client = await openSignedInClient(two, built.clientId);
    await two.database.update(sessions).set(change).where(sessionOf(client));
    const began = performance.now();
    expect(await client.listen(channel())).toBe(200);
    expect(await client.closed).toBe(4009);
    expect(performance.now() - began).toBeLessThan(2_600);
    expect(performance.now() - began).toBeGreaterThan(1_000);
  });

  test('closes a connection that was authorised just before its session ended', async () => {
    const client = await openSignedInClient(two, built.clientId, { askAt: one });
    expect(await client.listen(channel())).toBe(200);
    const late = await openSignedInClient(two, built.clientId, { askAt: one, headers: client.headers });
    const asking = late.listen(channel()).catch(() => 0);
    await one.database.delete(sessions).where(sessionOf(client));
    const status = await asking;
    if (status !== 401) expect(await late.closed).toBe(4009);
    expect(await client.closed).toBe(4009);
  });

  test('reconnects a client who is removed from a case, and rejects its channel', async () => {
    const [amelia, tom] = built.clientIds as [string, string];
    const removed = [await openSignedInClient(one, tom), await openSignedInClient(two, tom, { askAt: one })];
    const stays = await openSignedInClient(two, amelia);
    for (const client of [...removed, stays]) expect(await client.listen(channel())).toBe(200);
    const { codes, took } = await closing(removed, () =>
      one.database
        .delete(caseClients)
        .where(and(eq(caseClients.caseId, built.id), eq(caseClients.clientId, tom))),
    );
    expect(codes).toEqual([1001, 1001]);
    expect(took).toBeLessThan(1_000);
    await stays.processed();
    const back = await openSignedInClient(two, tom);
    expect(await back.listen(channel())).toBe(403);
    expect(await back.listen(`private-client.${tom}`)).toBe(200);
  });
});
