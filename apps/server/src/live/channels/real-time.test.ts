import { Agent, request } from 'node:http';
import { connect as connectSocket } from 'node:net';
import {
  buildCase,
  buildDocument,
  buildHistoryEntry,
  buildTask,
  measureSlowness,
  type TestServer,
  withTestDatabase,
  withTestServer,
} from '@keyturn/testkit';
import Pusher from 'pusher-js';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';

const testDatabase = withTestDatabase();
const server = withTestServer({ database: testDatabase });
const other = withTestServer({ database: testDatabase });
let built: Awaited<ReturnType<typeof buildCase>>;
const clients: Pusher[] = [];
beforeAll(async () => {
  built = await buildCase(server.database, { clients: [{ firstName: 'Amelia' }, { firstName: 'Tom' }] });
});
afterEach(() => {
  for (const client of clients.splice(0)) client.disconnect();
});

/** Connects pusher-js as a client, with the configuration of the served page. */
async function connect(clientId: string, to: TestServer = server) {
  const headers = await server.signInAs(clientId);
  const { realtime } = JSON.parse(
    /id="keyturn-config">(.*?)<\/script>/.exec((await to.app.inject({ url: '/' })).body)?.[1] ?? '{}',
  );
  const { hostname, port } = new URL(to.url);
  const client = new Pusher(realtime.key, {
    cluster: '',
    wsHost: hostname,
    wsPort: Number(port),
    forceTLS: false,
    enabledTransports: ['ws', 'wss'],
    channelAuthorization: {
      endpoint: `${to.url}/broadcasting/auth`,
      transport: 'ajax',
      customHandler: (params, callback) => {
        void fetch(`${to.url}/broadcasting/auth`, {
          method: 'POST',
          headers: { ...headers, 'content-type': 'application/json' },
          body: JSON.stringify({ socket_id: params.socketId, channel_name: params.channelName }),
        }).then(async (response) =>
          response.ok
            ? callback(null, (await response.json()) as never)
            : callback(new Error(String(response.status)), null),
        );
      },
    },
  });
  clients.push(client);
  return { client, headers };
}

const heardOn = (client: Pusher, channel: string) => {
  const events: { event: string; data: unknown }[] = [];
  const members: unknown[] = [];
  const subscribed = new Promise<void>((resolve, reject) => {
    const subscription = client.subscribe(channel);
    subscription.bind('pusher:subscription_succeeded', resolve);
    subscription.bind('pusher:subscription_error', reject);
    subscription.bind_global((event: string, data: unknown) => {
      if (event === 'pusher:member_added') members.push(data);
      if (!event.startsWith('pusher:')) events.push({ event, data });
    });
  });
  return { events, members, subscribed };
};

describe('real time', () => {
  test('notifies subscribers on every server about a change, except the connection that caused it', async () => {
    const [amelia, tom] = built.clientIds as [string, string];
    const here = await connect(amelia);
    const there = await connect(tom, other);
    const onFirst = heardOn(here.client, `private-case.${built.id}`);
    const tonFirst = heardOn(there.client, `private-case.${built.id}`);
    await Promise.all([onFirst.subscribed, tonFirst.subscribed]);
    const entry = await buildHistoryEntry(server.database, { caseId: built.id });
    const expectedEvent = {
      event: 'App\\Events\\HistoryRecorded',
      data: expect.objectContaining({ ids: [entry.id] }),
    };
    await expect.poll(() => onFirst.events).toEqual([expectedEvent]);
    await expect.poll(() => tonFirst.events).toEqual([expectedEvent]);

    const paying = await server.app.inject({
      method: 'POST',
      url: `/api/case-searches/${built.caseSearchId}/payments`,
      headers: { ...here.headers, 'x-socket-id': here.client.connection.socket_id },
    });
    expect(paying.statusCode).toBe(200);
    await expect
      .poll(() => tonFirst.events.map(({ event }) => event))
      .toContain('App\\Events\\PaymentUpdated');
    expect(onFirst.events).toHaveLength(1);
  });

  test('choosing a case and reading a document are not announced to the page that did it', async () => {
    const { matterId } = built;
    const document = await buildDocument(server.database, { matterId });
    await buildTask(server.database, { caseId: built.id, kind: 'read_document', documentId: document.id });
    await server.pool.query('delete from broadcast_events');
    const headers = { ...(await server.signInAs(built.clientId)), 'x-socket-id': '12.34' };
    const requests = [
      { method: 'PUT', url: '/api/client/active-case', payload: { id: built.id } },
      { method: 'POST', url: `/api/documents/${document.id}/read` },
    ] as const;
    for (const request of requests)
      expect(await server.app.inject({ ...request, headers })).toMatchObject({ statusCode: 200 });
    const { rows } = await server.pool.query(
      'select event, except_socket from broadcast_events where event in ($1, $2) order by id',
      ['CaseUpdated', 'TaskUpdated'],
    );
    expect(rows).toEqual([
      { event: 'CaseUpdated', except_socket: '12.34' },
      { event: 'TaskUpdated', except_socket: '12.34' },
    ]);
  });

  test('shares presence between two servers', async () => {
    const [amelia, tom] = built.clientIds as [string, string];
    const here = await connect(amelia);
    const presence = heardOn(here.client, `presence-case.${built.id}`);
    await presence.subscribed;
    const there = await connect(tom, other);
    await heardOn(there.client, `presence-case.${built.id}`).subscribed;
    const channel = there.client.channel(`presence-case.${built.id}`) as never as {
      members: { get(id: string): { info: unknown } | null };
    };
    await expect.poll(() => channel.members.get(amelia)?.info).toEqual({ first_name: 'Amelia' });
    await expect.poll(() => presence.members).toEqual([{ id: tom, info: { first_name: 'Tom' } }]);
  });

  test('answers a request that offers h2c, and not the one that was sent with it', async () => {
    const socket = connectSocket(Number(new URL(server.url).port), '127.0.0.1');
    let answers = '';
    socket.on('data', (chunk) => (answers += chunk)).on('error', () => {});
    const closed = new Promise((resolve) => socket.on('close', resolve));
    socket.write(
      'GET /api/client HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\nGET /api/client HTTP/1.1\r\nHost: localhost\r\n\r\n',
    );
    await closed;
    expect(answers).toMatch(/^HTTP\/1\.1 401 /);
    expect(answers.split('HTTP/1.1 ').length).toBe(2);
  });

  test('answers requests that offer h2c as usual', async () => {
    const headers = {
      ...(await server.signInAs(built.clientId)),
      'content-type': 'application/json',
      connection: 'Upgrade, HTTP2-Settings',
      upgrade: 'h2c',
      'http2-settings': 'AAMAAABkAAQAoAAAAAIAAAAA',
    };
    const ask = (method: string, path: string, body = '') =>
      new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
        const origin = request(`${server.url}${path}`, { method, headers, agent });
        origin.on('error', reject);
        origin.on('response', (response) => {
          void response.toArray().then((parts) => {
            resolve({ status: response.statusCode, text: Buffer.concat(parts).toString() });
          }, reject);
        });
        origin.end(body);
      });
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const client = await ask('GET', '/api/client');
    expect(client).toMatchObject({ status: 200, text: expect.stringContaining(built.clientId) });
    expect(await ask('PUT', '/api/client/active-case', JSON.stringify({ id: built.id }))).toMatchObject({
      status: 200,
    });
    expect(await ask('GET', '/nowhere/at/all.json')).toMatchObject({ status: 404 });
    agent.destroy();
  });

  test('rejects a subscription to the channel of another client’s case', async () => {
    const stranger = await buildCase(server.database);
    const { client } = await connect(stranger.clientId);
    await expect(heardOn(client, `private-case.${built.id}`).subscribed).rejects.toMatchObject({
      type: 'AuthError',
    });
  });

  test('fault 70: closes the connections of a session within a second of sign-out, on every server', async () => {
    const [amelia] = built.clientIds as [string];
    const here = await connect(amelia, other);
    const stays = await connect(amelia, other);
    await heardOn(here.client, `private-case.${built.id}`).subscribed;
    await heardOn(stays.client, `private-case.${built.id}`).subscribed;
    await server.app.inject({ method: 'POST', url: '/api/logout', headers: here.headers });
    const signedOutAt = performance.now();
    await expect.poll(() => here.client.connection.state).toBe('disconnected');
    expect(performance.now() - signedOutAt).toBeLessThan(1_000 * measureSlowness());
    expect(stays.client.connection.state).toBe('connected');
  });
});
