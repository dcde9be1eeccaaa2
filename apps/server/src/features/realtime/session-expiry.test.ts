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
const serverA = withTestServer({ database: testDatabase, env: testAppEnv });
const serverB = withTestServer({ database: testDatabase, env: testAppEnv });
let built: Awaited<ReturnType<typeof buildCase>>;
beforeAll(async () => {
  built = await buildCase(serverA.database, { clients: [{}, {}] });
});
afterEach(closeTestClients);

const channel = () => `private-case.${built.id}`;
const sessionOf = ({ headers }: SignedInClient) =>
  eq(sessions.tokenHash, createHash('sha256').update(headers.authorization.slice('Bearer '.length)).digest());

/** Resolves with the close codes of these clients and the milliseconds until they closed. */
async function waitForClose(clients: SignedInClient[], endSession: () => PromiseLike<unknown>) {
  await endSession();
  const startedAt = performance.now();
  const codes = await Promise.all(clients.map(({ closed }) => closed));
  return { codes, duration: performance.now() - startedAt };
}

describe('session expiry', () => {
  const endings: [string, (client: SignedInClient) => PromiseLike<unknown>][] = [
    ['signs out', ({ headers }) => serverA.app.inject({ method: 'POST', url: '/api/logout', headers })],
    [
      'is revoked',
      (client) => serverA.database.update(sessions).set({ revokedAt: new Date() }).where(sessionOf(client)),
    ],
    ['is deleted', (client) => serverA.database.delete(sessions).where(sessionOf(client))],
  ];
  test.each(endings)(
    'protocol 48: closes only the connections of a session that %s, within a second on every server',
    async (_, end) => {
      const ownClient = await openSignedInClient(serverA, built.clientId);
      // Some connections are on the other server, or were authorised by another server than their own.
      const secondClient = await openSignedInClient(serverB, built.clientId, {
        authServer: serverA,
        headers: ownClient.headers,
      });
      const otherSession = await openSignedInClient(serverB, built.clientId);
      for (const client of [ownClient, secondClient, otherSession])
        expect(await client.subscribeWithAuth(channel())).toBe(200);
      const { codes, duration } = await waitForClose([ownClient, secondClient], () => end(ownClient));
      expect(codes).toEqual([4009, 4009]);
      expect(duration).toBeLessThan(1_000);
      await otherSession.processed();
      expect(await otherSession.subscribeWithAuth(`private-client.${built.clientId}`)).toBe(200);
    },
  );

  test.each<[string, object]>([
    ['expires', { expiresAt: sql`now() + interval '1500 ms'` }],
    ['reaches the idle timeout', { lastUsedAt: sql`now() - interval '1800 s' + interval '1500 ms'` }],
  ])('closes the connections of a session within a second after it %s', async (_, change) => {
    const client = await openSignedInClient(serverB, built.clientId);
    await serverB.database.update(sessions).set(change).where(sessionOf(client));
    const startedAt = performance.now();
    expect(await client.subscribeWithAuth(channel())).toBe(200);
    expect(await client.closed).toBe(4009);
    expect(performance.now() - startedAt).toBeLessThan(2_600);
    expect(performance.now() - startedAt).toBeGreaterThan(1_000);
  });

  test('closes a connection that was authorised just before its session ended', async () => {
    const client = await openSignedInClient(serverB, built.clientId, { authServer: serverA });
    expect(await client.subscribeWithAuth(channel())).toBe(200);
    const late = await openSignedInClient(serverB, built.clientId, {
      authServer: serverA,
      headers: client.headers,
    });
    const origin = late.subscribeWithAuth(channel()).catch(() => 0);
    await serverA.database.delete(sessions).where(sessionOf(client));
    const status = await origin;
    if (status !== 401) expect(await late.closed).toBe(4009);
    expect(await client.closed).toBe(4009);
  });

  test('reconnects a client who is removed from a case, and rejects its channel', async () => {
    const [amelia, tom] = built.clientIds as [string, string];
    const removed = [
      await openSignedInClient(serverA, tom),
      await openSignedInClient(serverB, tom, { authServer: serverA }),
    ];
    const otherClient = await openSignedInClient(serverB, amelia);
    for (const client of [...removed, otherClient])
      expect(await client.subscribeWithAuth(channel())).toBe(200);
    const { codes, duration } = await waitForClose(removed, () =>
      serverA.database
        .delete(caseClients)
        .where(and(eq(caseClients.caseId, built.id), eq(caseClients.clientId, tom))),
    );
    expect(codes).toEqual([1001, 1001]);
    expect(duration).toBeLessThan(1_000);
    await otherClient.processed();
    const back = await openSignedInClient(serverB, tom);
    expect(await back.subscribeWithAuth(channel())).toBe(403);
    expect(await back.subscribeWithAuth(`private-client.${tom}`)).toBe(200);
  });
});
