import { eventNames } from '@keyturn/contract';
import { buildCase, buildHistoryEntry, withTestServer } from '@keyturn/testkit';
import Echo from 'laravel-echo';
import PusherServer from 'pusher';
import Pusher from 'pusher-js';
import { beforeEach, describe, expect, test } from 'vitest';
import { readSettings } from '../../settings/read-settings.ts';
import { testApp, testAppEnv } from '../../testing/real-time/channel-test-clients.ts';

const server = withTestServer({ env: testAppEnv });
let built: Awaited<ReturnType<typeof buildCase>>;
// A separate case for each test, because late events of another test would be counted here.
beforeEach(async () => {
  built = await buildCase(server.database, { clients: [{ firstName: 'Amelia' }, { firstName: 'Tom' }] });
});

async function openEcho(clientId: string, namespace: string | false = 'App.Events') {
  const headers = await server.signInAs(clientId);
  return new Echo({
    broadcaster: 'reverb',
    key: testApp.key,
    wsHost: '127.0.0.1',
    wsPort: Number(new URL(server.url).port),
    forceTLS: false,
    enabledTransports: ['ws', 'wss'],
    namespace,
    authEndpoint: `${server.url}/broadcasting/auth`,
    auth: { headers },
    Pusher,
  });
}

/** Resolves when the channel is subscribed. */
const subscribed = (channel: { subscribed(callback: () => void): unknown }) =>
  new Promise<void>((resolve) => channel.subscribed(resolve));

describe('laravel-echo', () => {
  test('protocol 41: laravel-echo receives events by class name until it leaves the channel', async () => {
    const echo = await openEcho(built.clientId);
    const received: string[] = [];
    const channel = echo.private(`case.${built.id}`);
    channel.listen('HistoryRecorded', () => received.push('by class name'));
    channel.listen('.App\\Events\\HistoryRecorded', () => received.push('by full name'));
    channel.listen('.HistoryRecorded', () => received.push('by another name'));
    channel.listenToAll((event: string) => {
      // The new case also has events about its creation, which may arrive late.
      if (event.endsWith('HistoryRecorded')) received.push(event);
    });
    await subscribed(channel);
    await buildHistoryEntry(server.database, { caseId: built.id });
    await expect.poll(() => received.length).toBe(3);
    expect(received.sort()).toEqual(['HistoryRecorded', 'by class name', 'by full name']);
    echo.leave(`case.${built.id}`);
    const again = echo.private(`client.${built.clientId}`);
    await subscribed(again);
    await buildHistoryEntry(server.database, { caseId: built.id });
    await subscribed(echo.channel('status'));
    expect(received).toHaveLength(3);
    echo.disconnect();
  });

  test('protocol 41: listenToAll of laravel-echo receives the names that it receives from Pusher', async () => {
    const echo = await openEcho(built.clientId);
    const received: unknown[] = [];
    const channel = echo.private(`case.${built.id}`);
    channel.listenToAll((event: string) => {
      // The new case also has events about its creation, which may arrive late.
      if (!(eventNames as readonly string[]).includes(event)) received.push(event);
    });
    await subscribed(channel);
    const { host, port } = new URL(server.url);
    const publisher = new PusherServer({
      appId: testApp.id,
      ...testApp,
      host: host.split(':')[0] ?? '',
      port,
      useTLS: false,
    });
    for (const name of [
      'App\\Events\\Moved',
      'App\\Events\\Keys\\Handed',
      'Other\\Moved',
      'plain',
      'client-typing',
    ]) {
      await publisher.trigger(`private-case.${built.id}`, name, {});
    }
    await expect.poll(() => received.length).toBe(5);
    // Without the namespace if it is the client’s own, otherwise in full after a dot.
    expect(received).toEqual(['Moved', 'Keys\\Handed', '.Other\\Moved', '.plain', '.client-typing']);
    echo.disconnect();
  });

  test('protocol 41: laravel-echo leaves every kind of channel by its bare name', async () => {
    const echo = await openEcho(built.clientId);
    const name = `case.${built.id}`;
    const left: string[] = [];
    for (const kind of ['', 'private-', 'presence-', 'private-encrypted-']) {
      const channel =
        kind === ''
          ? echo.channel(name)
          : kind === 'presence-'
            ? echo.join(name)
            : kind === 'private-'
              ? echo.private(name)
              : echo.encryptedPrivate(name);
      // The server rejects encrypted channels, but laravel-echo has a channel object to leave.
      if (kind !== 'private-encrypted-') await subscribed(channel);
      left.push(kind + name);
    }
    const { connection, ...pusher } = echo.connector.pusher;
    expect(Object.keys(echo.connector.channels).sort()).toEqual([...left].sort());
    expect(pusher.channels.all().map((channel) => channel.name)).toEqual(expect.arrayContaining(left));
    const sent: string[] = [];
    const send = connection.send_event.bind(connection);
    connection.send_event = (event, data, channel) => {
      sent.push(`${event} ${data.channel}`);
      return send(event, data, channel);
    };
    echo.leave(name);
    expect(Object.keys(echo.connector.channels)).toEqual([]);
    // A pending subscription is cancelled when its response arrives.
    const kept = pusher.channels.all().filter((channel) => !channel.subscriptionCancelled);
    expect(kept.map((channel) => channel.name)).toEqual([]);
    expect(sent).toEqual(
      expect.arrayContaining(
        ['', 'private-', 'presence-'].map((kind) => `pusher:unsubscribe ${kind}${name}`),
      ),
    );
    await subscribed(echo.channel('status'));
    echo.disconnect();
  });

  test('protocol 41: laravel-echo without a namespace receives only full event names', async () => {
    const echo = await openEcho(built.clientId, false);
    const received: string[] = [];
    const channel = echo.private(`case.${built.id}`);
    channel.listen('HistoryRecorded', () => received.push('by class name'));
    channel.listen('App\\Events\\HistoryRecorded', () => received.push('by full name'));
    channel.listen('App.Events.HistoryRecorded', () => received.push('by full name with dots'));
    await subscribed(channel);
    await buildHistoryEntry(server.database, { caseId: built.id });
    await expect.poll(() => received).toEqual(['by full name', 'by full name with dots']);
    echo.disconnect();
  });

  test('protocol 41: laravel-echo tracks presence members, joins and leaves', async () => {
    const [amelia, tom] = built.clientIds as [string, string];
    const echo = await openEcho(amelia);
    const seen: unknown[] = [];
    const room = echo.join(`case.${built.id}`);
    room.here((members: unknown) => seen.push(['here', members]));
    room.joining((member: unknown) => seen.push(['joins', member]));
    room.leaving((member: unknown) => seen.push(['leaves', member]));
    await expect.poll(() => seen).toEqual([['here', [{ first_name: 'Amelia' }]]]);
    const other = await openEcho(tom);
    await subscribed(other.join(`case.${built.id}`));
    await expect.poll(() => seen.at(-1)).toEqual(['joins', { first_name: 'Tom' }]);
    other.disconnect();
    await expect.poll(() => seen.at(-1)).toEqual(['leaves', { first_name: 'Tom' }]);
    echo.disconnect();
  });
});

test('protocol 44: rejects an unknown broadcaster setting', () => {
  expect(() => readSettings({ KEYTURN_REALTIME_BROADCASTER: 'foo' }, '/')).toThrow(
    /KEYTURN_REALTIME_BROADCASTER must be one of .*reverb.*, not "foo"/,
  );
});
