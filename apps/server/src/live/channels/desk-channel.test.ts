import { randomUUID } from 'node:crypto';
import { isValidChannelAuth } from '@keyturn/pusher-protocol';
import { buildCase, buildHistoryEntry, withTestDatabase, withTestServer } from '@keyturn/testkit';
import { eq } from 'drizzle-orm';
import Pusher from 'pusher-js';
import { afterEach, expect, test } from 'vitest';
import { deskItems } from '../../schema/tables/desk-tables.ts';
import { staffSessions } from '../../schema/tables/staff-tables.ts';
import { testAppEnv } from '../../testing/real-time/channel-test-clients.ts';
import { buildStaff, startStaffSession } from '../../testing/serve-staff.ts';

const testDatabase = withTestDatabase();
const server = withTestServer({ database: testDatabase, env: testAppEnv });
const other = withTestServer({ database: testDatabase, env: testAppEnv });
const clients: Pusher[] = [];
afterEach(() => {
  for (const client of clients.splice(0)) client.disconnect();
});

/** Signs a member in, and requests a call of the staff API. */
async function openDesk(at = server) {
  const member = await buildStaff(testDatabase);
  const headers = await startStaffSession(testDatabase, member.id);
  const call = (path: string, body: object) =>
    at.app.inject({
      method: 'POST',
      url: `/api/staff${path}`,
      headers: { ...headers, origin: 'http://localhost:80', host: 'localhost:80' },
      payload: body,
    });
  return { member, call };
}

/** Subscribes to the desk's channel as the desk does. */
async function follow({ call }: Awaited<ReturnType<typeof openDesk>>, at = server) {
  const { hostname, port } = new URL(at.url);
  const client = new Pusher(testAppEnv.KEYTURN_REALTIME_KEY, {
    cluster: '',
    wsHost: hostname,
    wsPort: Number(port),
    forceTLS: false,
    enabledTransports: ['ws', 'wss'],
    channelAuthorization: {
      endpoint: '',
      transport: 'ajax',
      customHandler: ({ socketId }, callback) =>
        void call('/channel/auth', { socket_id: socketId }).then((answer) =>
          answer.statusCode === 200
            ? callback(null, { auth: answer.json().data.auth })
            : callback(new Error(String(answer.statusCode)), null),
        ),
    },
  });
  clients.push(client);
  const received: { event: string; ids: string[] }[] = [];
  const channel = client.subscribe('private-desk');
  channel.bind_global((event: string, data: { ids: string[] }) => {
    if (!event.startsWith('pusher:')) received.push({ event, ids: data.ids });
  });
  await new Promise<void>((resolve, reject) => {
    channel.bind('pusher:subscription_succeeded', resolve);
    channel.bind('pusher:subscription_error', reject);
  });
  return { client, received };
}

test('announces changes of any case to the desk of every server, with nothing but the id of the case', async () => {
  const here = await follow(await openDesk());
  const there = await follow(await openDesk(other), other);
  const { id } = await buildCase(server.database, {});
  await buildHistoryEntry(server.database, { caseId: id });
  for (const { received } of [here, there]) {
    await expect.poll(() => received).toContainEqual({ event: 'App\\Events\\DeskUpdated', ids: [id] });
    expect(new Set(received.map(({ event }) => event))).toEqual(new Set(['App\\Events\\DeskUpdated']));
  }
});

test('announces a colleague’s decision about an item of Today without naming the case', async () => {
  const desk = await openDesk();
  const { received } = await follow(desk);
  await server.database.insert(deskItems).values({
    kind: 'promise_missed',
    subjectId: randomUUID(),
    occasion: '2026-11-20',
    version: 1,
    assignedTo: desk.member.id,
    changedBy: desk.member.id,
    changedAt: new Date(),
  });
  await expect.poll(() => received).toContainEqual({ event: 'App\\Events\\DeskUpdated', ids: [] });
});

test('the desk’s channel authorises a connection whose id looks like a card number', async () => {
  const desk = await openDesk();
  const answer = await desk.call('/channel/auth', { socket_id: '4539148803436467.1' });
  expect(answer.statusCode).toBe(200);
});

test('the desk’s channel ends a connection with the session of its member, on every server', async () => {
  const desk = await openDesk();
  const elsewhere = await openDesk(other);
  const [connection, stays] = [await follow(desk), await follow(elsewhere, other)];
  const closed = new Promise<void>((resolve) => {
    connection.client.connection.bind('disconnected', () => resolve());
  });
  await other.database
    .update(staffSessions)
    .set({ endedAt: new Date() })
    .where(eq(staffSessions.ownerId, desk.member.id));
  await closed;
  expect((await desk.call('/channel/auth', { socket_id: '1.2' })).statusCode).toBe(401);
  expect(stays.client.connection.state).toBe('connected');
});

test('does not authorise clients for the desk’s channel, nor staff for cases’ channels', async () => {
  const { clientId, id } = await buildCase(server.database, {});
  const headers = await server.signInAs(clientId);
  const authorise = (channel_name: string, sent: Record<string, string>) =>
    server.app.inject({
      method: 'POST',
      url: '/broadcasting/auth',
      headers: { 'content-type': 'application/json', ...sent },
      payload: JSON.stringify({ socket_id: '7.8', channel_name }),
    });
  expect((await authorise('private-desk', headers)).statusCode).toBe(403);
  const { member } = await openDesk();
  const session = await startStaffSession(testDatabase, member.id);
  expect((await authorise(`private-case.${id}`, session)).statusCode).toBe(401);
});

test('the desk’s channel authorises a connection for one member only', async () => {
  const [desk, another] = [await openDesk(), await openDesk()];
  const { client } = await follow(desk);
  const socket_id = client.connection.socket_id;
  const { data } = (await desk.call('/channel/auth', { socket_id })).json();
  const app = { id: '', key: testAppEnv.KEYTURN_REALTIME_KEY, secret: testAppEnv.KEYTURN_REALTIME_SECRET };
  expect(isValidChannelAuth(app, data.auth, socket_id, 'private-desk', null)).toBe(true);
  expect((await another.call('/channel/auth', { socket_id })).statusCode).toBe(404);
  for (const wrong of ['', '1', '1.2.3', 'x.y', `${'1'.repeat(21)}.2`])
    expect((await desk.call('/channel/auth', { socket_id: wrong })).statusCode).toBe(422);
});
