import { createHash } from 'node:crypto';
import {
  buildCase,
  measureSlowness,
  type TestServer,
  withTestDatabase,
  withTestServer,
} from '@keyturn/testkit';
import { and, eq, sql } from 'drizzle-orm';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { caseClients, passwordLinks, sessions } from '../../schema/tables/tables.ts';
import {
  closeTestClients,
  openSignedInClient,
  type SignedInSocket,
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

/** Milliseconds, a second on an idle machine. */
const promptly = () => 1_500 + 1_000 * measureSlowness();

const channel = () => `private-case.${built.id}`;
const sessionOf = ({ headers }: SignedInSocket) =>
  eq(sessions.tokenHash, createHash('sha256').update(headers.authorization.slice('Bearer '.length)).digest());

/** Requests the signature of a subscription, without subscribing. */
async function authorise(server: TestServer, client: SignedInSocket, name: string) {
  const response = await fetch(`${server.url}/broadcasting/auth`, {
    method: 'POST',
    headers: { ...client.headers, 'content-type': 'application/json' },
    body: JSON.stringify({ socket_id: client.socketId, channel_name: name }),
  });
  return { status: response.status, body: (await response.json()) as unknown };
}

/** Resolves with the close codes of these clients and the milliseconds until they closed. */
async function waitForClose(clients: SignedInSocket[], endSession: () => PromiseLike<unknown>) {
  await endSession();
  const startedAt = performance.now();
  const codes = await Promise.all(clients.map(({ closed }) => closed));
  return { codes, duration: performance.now() - startedAt };
}

describe('session expiry', () => {
  const endings: [string, (client: SignedInSocket) => PromiseLike<unknown>][] = [
    ['signs out', ({ headers }) => serverA.app.inject({ method: 'POST', url: '/api/logout', headers })],
    [
      'is revoked',
      (client) => serverA.database.update(sessions).set({ endedAt: new Date() }).where(sessionOf(client)),
    ],
    [
      'its client ends on another device',
      async (client) => {
        const [ended] = await serverA.database.select().from(sessions).where(sessionOf(client));
        const headers = await serverA.signInAs(built.clientId);
        const url = `/api/sessions/${ended?.id}`;
        expect((await serverA.app.inject({ method: 'DELETE', url, headers })).statusCode).toBe(204);
      },
    ],
    ['is deleted', (client) => serverA.database.delete(sessions).where(sessionOf(client))],
  ];
  test.each(endings)(
    'protocol 48: closes only the connections of a session that %s, within a second on every server',
    async (_, end) => {
      const ownClient = await openSignedInClient(serverA, built.clientId);
      // Some connections are on the other server, or were authorised by a different server than their own.
      const secondClient = await openSignedInClient(serverB, built.clientId, {
        authServer: serverA,
        headers: ownClient.headers,
      });
      const otherSession = await openSignedInClient(serverB, built.clientId);
      for (const client of [ownClient, secondClient, otherSession])
        expect(await client.subscribeWithAuth(channel())).toBe(200);
      const { codes, duration } = await waitForClose([ownClient, secondClient], () => end(ownClient));
      expect(codes).toEqual([4009, 4009]);
      expect(duration).toBeLessThan(promptly());
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
    const duration = performance.now() - startedAt;
    expect(duration).toBeLessThan(1_500 + 1_100 * measureSlowness());
    expect(duration).toBeGreaterThan(1_000);
  });

  /**
   * Opens a connection on server B that two sessions of a client have authorised: the second through each server. Both
   * have signed a subscription.
   */
  async function openWithTwoSessions(clientId: string) {
    return Promise.all(
      [serverA, serverB].map(async (authServer) => {
        const client = await openSignedInClient(serverB, clientId);
        expect(await client.subscribeWithAuth(`private-client.${clientId}`)).toBe(200);
        const second = await openSignedInClient(serverB, clientId);
        const asSecondSession = { ...client, headers: second.headers };
        expect(await authorise(authServer, asSecondSession, channel())).toMatchObject({ status: 200 });
        return asSecondSession;
      }),
    );
  }

  test('closes a connection when the second session that authorised it signs out, on every server', async () => {
    const clients = await openWithTwoSessions(built.clientId);
    const { codes, duration } = await waitForClose(clients, () =>
      Promise.all(
        clients.map(async ({ headers }) =>
          serverA.app.inject({ method: 'POST', url: '/api/logout', headers }),
        ),
      ),
    );
    expect(codes).toEqual([4009, 4009]);
    expect(duration).toBeLessThan(promptly());
  });

  test('closes the real-time connections of all of a client’s sessions on every server after a password change', async () => {
    const clients = await openWithTwoSessions(built.clientId);
    const token = 'x'.repeat(43);
    await serverA.database.insert(passwordLinks).values({
      clientId: built.clientId,
      tokenHash: createHash('sha256').update(token).digest(),
      purpose: 'forgotten',
      createdAt: new Date(),
      expiresAt: new Date(Date.now() + 60_000),
    });
    const { codes, duration } = await waitForClose(clients, async () => {
      const response = await serverA.app.inject({
        method: 'POST',
        url: '/api/password/reset',
        payload: { token, password: 'brass hinges and a garden gate' },
      });
      expect(response.statusCode).toBe(204);
    });
    expect(codes).toEqual([4009, 4009]);
    expect(duration).toBeLessThan(promptly());
  });

  test('rejects another client’s authorisation on a connection, or closes it if another server has signed', async () => {
    const [amelia, tom] = built.clientIds as [string, string];
    const { headers: stolen } = await openSignedInClient(serverB, tom);
    const onServerB = await openSignedInClient(serverB, amelia);
    expect(await onServerB.subscribeWithAuth(channel())).toBe(200);
    const asTom = { ...onServerB, headers: stolen };
    const refused = await authorise(serverB, asTom, `private-client.${tom}`);
    expect(refused).toEqual({ status: 403, body: { message: expect.any(String) } });
    await onServerB.processed();
    expect(await authorise(serverA, asTom, `private-client.${tom}`)).toMatchObject({ status: 200 });
    expect(await onServerB.closed).toBe(4009);
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
    removed.push(...(await openWithTwoSessions(tom)));
    const { codes, duration } = await waitForClose(removed, () =>
      serverA.database
        .delete(caseClients)
        .where(and(eq(caseClients.caseId, built.id), eq(caseClients.clientId, tom))),
    );
    expect(codes).toEqual([1001, 1001, 1001, 1001]);
    expect(duration).toBeLessThan(promptly());
    await otherClient.processed();
    const back = await openSignedInClient(serverB, tom);
    expect(await back.subscribeWithAuth(channel())).toBe(403);
    expect(await back.subscribeWithAuth(`private-client.${tom}`)).toBe(200);
  });
});
