import { buildCase, buildHistoryEntry, createTestServer, type TestServer } from '@keyturn/testkit';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import {
  closeTestClients,
  openSignedInClient,
  testAppEnv,
} from '../../testing/real-time/channel-test-clients.ts';

/** The external server, which has the connections but no cases, as Reverb or soketi would. */
let external: TestServer;
/** The server with the cases, which forwards its events. */
let server: TestServer;
let built: Awaited<ReturnType<typeof buildCase>>;
beforeAll(async () => {
  external = await createTestServer({ env: testAppEnv });
  server = await createTestServer({
    env: {
      ...testAppEnv,
      KEYTURN_REALTIME_SERVER: 'external',
      KEYTURN_REALTIME_HOST: '127.0.0.1',
      KEYTURN_REALTIME_PORT: new URL(external.url).port,
      KEYTURN_REALTIME_SCHEME: 'http',
    },
  });
  built = await buildCase(server.database, { clients: [{ firstName: 'Amelia' }, { firstName: 'Tom' }] });
});
afterEach(closeTestClients);
afterAll(async () => {
  await server.stop();
  await external.stop();
});

const open = async (clientId: string) =>
  openSignedInClient(external, clientId, { authServer: server, headers: await server.signInAs(clientId) });
const recorded = 'App\\Events\\HistoryRecorded';

describe('external server', () => {
  test('an external server delivers changes to its subscribers except the origin', async () => {
    const [amelia, tom] = built.clientIds as [string, string];
    const origin = await open(amelia);
    const other = await open(tom);
    for (const client of [origin, other])
      expect(await client.subscribeWithAuth(`private-case.${built.id}`)).toBe(200);
    const entry = await buildHistoryEntry(server.database, { caseId: built.id });
    for (const client of [origin, other]) {
      expect(await client.next(recorded)).toMatchObject({ data: { ids: [entry.id] } });
    }
    await server.app.inject({
      method: 'POST',
      url: `/api/case-searches/${built.caseSearchId}/payments`,
      headers: { ...origin.headers, 'x-socket-id': origin.socketId },
    });
    await other.next('App\\Events\\PaymentUpdated');
    await origin.processed();
    expect(origin.inbox).toEqual([]);
  });

  test('an external server closes the signed-in connections of a client who signs out', async () => {
    const client = await open(built.clientId);
    const response = await fetch(`${server.url}/broadcasting/user-auth`, {
      method: 'POST',
      headers: { ...client.headers, 'content-type': 'application/json' },
      body: JSON.stringify({ socket_id: client.socketId }),
    });
    client.send({ event: 'pusher:signin', data: await response.json() });
    await client.next('pusher:signin_success');
    await server.app.inject({ method: 'POST', url: '/api/logout', headers: client.headers });
    expect(await client.closed).toBe(4009);
  });

  test('fault 39: an external server receives pending events after an outage, which does not delay requests', async () => {
    const { port } = new URL(external.url);
    const unsent = async () => {
      const { rows } = await server.pool.query(
        'select count(*)::int as count from broadcast_events where sent_at is null',
      );
      return rows[0]?.count;
    };
    await expect.poll(unsent).toBe(0);
    await external.stop();
    await buildHistoryEntry(server.database, { caseId: built.id });
    const { statusCode } = await server.app.inject({
      url: '/api/client',
      headers: await server.signInAs(built.clientId),
    });
    expect(statusCode).toBe(200);
    expect(await unsent()).toBe(1);
    external = await createTestServer({ env: { ...testAppEnv, PORT: port } });
    await expect.poll(unsent, { timeout: 10_000 }).toBe(0);
  });

  test('rejects WebSocket connections while an external server is configured', async () => {
    const response = await fetch(`${server.url}/apps/42/channels`);
    expect(response.headers.get('content-type')).not.toContain('application/json');
    await expect(
      openSignedInClient(server, built.clientId, { headers: await server.signInAs(built.clientId) }),
    ).rejects.toThrow();
  });
});
