import { buildCase, buildHistoryEntry, withTestDatabase } from '@keyturn/testkit';
import { beforeEach, expect, test } from 'vitest';
import { forwardEvents } from './forward-events.ts';
import type { ChannelEvent } from './ports.ts';

const testDatabase = withTestDatabase();
beforeEach(() => testDatabase.pool.query('delete from broadcast_events'));

const unsent = async () =>
  (await testDatabase.pool.query('select id from broadcast_events where sent_at is null')).rows.length;

/** A broadcaster that takes its time for each request. */
function slowBroadcaster() {
  const requests: (readonly ChannelEvent[])[] = [];
  const ended: string[] = [];
  let underWay = 0;
  let most = 0;
  const takeTime = async () => {
    underWay += 1;
    most = Math.max(most, underWay);
    await new Promise((resolve) => setTimeout(resolve, 20));
    underWay -= 1;
  };
  return {
    requests,
    ended,
    most: () => most,
    send: async (events: readonly ChannelEvent[]) => {
      requests.push(events);
      await takeTime();
    },
    disconnectClient: async (clientId: string) => {
      ended.push(clientId);
      await takeTime();
    },
  };
}

test('each transaction waits for one request with events, however many there are', async () => {
  const { id: caseId } = await buildCase(testDatabase.database);
  await testDatabase.pool.query('delete from broadcast_events');
  for (let number = 0; number < 25; number++) await buildHistoryEntry(testDatabase.database, { caseId });
  const broadcaster = slowBroadcaster();
  const left: number[] = [];
  const send = () => forwardEvents({ database: testDatabase.database, broadcaster, namespace: 'App.Events' });
  while (await send()) left.push(await unsent());
  expect(broadcaster.requests.map((events) => events.length)).toEqual([10, 10, 5]);
  expect([...left, await unsent()]).toEqual([15, 5, 0]);
});

test('connections of many clients are ended together, each client once', async () => {
  const clientIds = Array.from({ length: 40 }, (_, number) => `client-${number}`);
  for (const event of ['ended', 'ended once more']) {
    await testDatabase.pool.query("select broadcast('#access', $1, $2)", [event, clientIds]);
  }
  const broadcaster = slowBroadcaster();
  await forwardEvents({ database: testDatabase.database, broadcaster, namespace: 'App.Events' });
  expect(broadcaster.ended.sort()).toEqual(clientIds.sort());
  expect(broadcaster.most()).toBe(40);
  expect(await unsent()).toBe(0);
});

test('what the broadcaster does not take stays unsent', async () => {
  await testDatabase.pool.query("select broadcast('#access', 'ended', array['7'])");
  const broadcaster = { ...slowBroadcaster(), disconnectClient: () => Promise.reject(new Error('away')) };
  await expect(
    forwardEvents({ database: testDatabase.database, broadcaster, namespace: 'App.Events' }),
  ).rejects.toThrow('away');
  expect(await unsent()).toBe(1);
});
