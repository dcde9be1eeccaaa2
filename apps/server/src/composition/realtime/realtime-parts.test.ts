import { withTestDatabase } from '@keyturn/testkit';
import { afterEach, expect, test, vi } from 'vitest';
import { readSettings } from '../../settings/read-settings.ts';
import { createEventCleanup, limitsOfChannel, type RealtimeOptions } from './realtime-parts.ts';

const testDatabase = withTestDatabase();
afterEach(() => vi.useRealTimers());

test('fault 47: a server whose clock is hours ahead deletes only the events that are an hour old in the database', async () => {
  await testDatabase.pool.query(
    `insert into broadcast_events (channel, event, ids, created_at)
     select 'status', age || ' minutes old', '{}', now() - age * interval '1 minute' from unnest(array[5, 55, 65]) age`,
  );
  const errors: unknown[] = [];
  vi.useFakeTimers({ toFake: ['Date', 'setInterval'], now: Date.now() + 2 * 3_600_000 });
  const { database } = testDatabase;
  const cleanup = createEventCleanup({
    database,
    onError: (error) => errors.push(error),
  } as Partial<RealtimeOptions> as RealtimeOptions);
  cleanup.start();
  vi.advanceTimersByTime(600_000);
  vi.useRealTimers();
  const remaining = async () =>
    (await testDatabase.pool.query('select event from broadcast_events order by created_at')).rows.map(
      ({ event }) => event,
    );
  await expect.poll(remaining).toEqual(['55 minutes old', '5 minutes old']);
  cleanup.stop();
  expect(errors).toEqual([]);
});

test('the embedded server tells browsers the activity timeout of the settings, 120 seconds by default', () => {
  const timeoutWith = (settings: Record<string, string>) =>
    limitsOfChannel(readSettings(settings, '/srv/keyturn').realtime).activityTimeout;
  expect(timeoutWith({})).toBe(120);
  expect(timeoutWith({ KEYTURN_REALTIME_ACTIVITY_TIMEOUT: '300' })).toBe(300);
});
