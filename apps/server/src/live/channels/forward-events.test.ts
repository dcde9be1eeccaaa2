import { buildCase, buildHistoryEntry, withTestDatabase } from '@keyturn/testkit';
import { beforeEach, expect, test } from 'vitest';
import { forwardEvents } from './forward-events.ts';
import type { ChannelEvent } from './ports.ts';

const testDatabase = withTestDatabase();
beforeEach(() => testDatabase.pool.query('delete from broadcast_events'));

const unsent = async () =>
  (await testDatabase.pool.query('select id from broadcast_events where sent_at is null')).rows.length;

/** A broadcaster whose requests each take 20 ms. */
function slowBroadcaster() {
  const requests: (readonly ChannelEvent[])[] = [];
  const disconnected: string[] = [];
  let concurrent = 0;
  let maxConcurrent = 0;
  const delay = async () => {
    concurrent += 1;
    maxConcurrent = Math.max(maxConcurrent, concurrent);
    await new Promise((resolve) => setTimeout(resolve, 20));
    concurrent -= 1;
  };
  return {
    requests,
    disconnected,
    maxConcurrent: () => maxConcurrent,
    send: async (events: readonly ChannelEvent[]) => {
      requests.push(events);
      await delay();
    },
    disconnectClient: async (clientId: string) => {
      disconnected.push(clientId);
      await delay();
    },
  };
}

test('sends at most one request of events in each transaction', async () => {
  const { id: caseId } = await buildCase(testDatabase.database);
  await testDatabase.pool.query('delete from broadcast_events');
  for (let number = 0; number < 25; number++) await buildHistoryEntry(testDatabase.database, { caseId });
  const broadcaster = slowBroadcaster();
  const left: number[] = [];
  const send = () => forwardEvents({ database: testDatabase.database, broadcaster, namespace: 'App.Events' });
  while (await send()) left.push(await unsent());
  expect(broadcaster.requests.map((events) => events.length)).toEqual([10, 10, 8]);
  expect(broadcaster.requests.map((events) => events.at(-1))).toEqual(
    Array.from({ length: 3 }, () => expect.objectContaining({ channel: 'private-desk' })),
  );
  expect([...left, await unsent()]).toEqual([16, 7, 0]);
});

test('disconnects many clients in parallel, each client once', async () => {
  const clientIds = Array.from({ length: 40 }, (_, number) => `client-${number}`);
  for (const event of ['ended', 'ended once more']) {
    await testDatabase.pool.query("select broadcast('#access', $1, $2)", [event, clientIds]);
  }
  const broadcaster = slowBroadcaster();
  await forwardEvents({ database: testDatabase.database, broadcaster, namespace: 'App.Events' });
  expect(broadcaster.disconnected.sort()).toEqual(clientIds.sort());
  expect(broadcaster.maxConcurrent()).toBe(40);
  expect(await unsent()).toBe(0);
});

test('keeps events unsent if the broadcaster rejects them', async () => {
  await testDatabase.pool.query("select broadcast('#access', 'ended', array['7'])");
  const broadcaster = { ...slowBroadcaster(), disconnectClient: () => Promise.reject(new Error('away')) };
  await expect(
    forwardEvents({ database: testDatabase.database, broadcaster, namespace: 'App.Events' }),
  ).rejects.toThrow('away');
  expect(await unsent()).toBe(1);
});
