import { environmentManager, QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createLiveStore, noChannel } from '../services/live-store.ts';
import { adjustPolling, pollInterval } from './polling.ts';

beforeEach(() => {
  // Queries poll in browsers only.
  environmentManager.setIsServer(() => false);
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('fault 43: polls every three minutes while live, and every 15 seconds as soon as the channel is lost', async () => {
  const live = createLiveStore();
  const queries = new QueryClient();
  let requests = 0;
  const observer = new QueryObserver(queries, {
    queryKey: ['milestones'],
    queryFn: () => {
      requests += 1;
      return requests;
    },
    refetchInterval: () => pollInterval(live),
    refetchIntervalInBackground: true,
  });
  const unsubscribe = observer.subscribe(() => {});
  const stop = adjustPolling(queries, live);
  await vi.advanceTimersByTimeAsync(0);
  expect(requests).toBe(1);

  live.set({ ...noChannel, status: 'live' });
  await vi.advanceTimersByTimeAsync(2 * 60_000);
  expect(requests).toBe(1);

  live.set({ ...noChannel, status: 'waiting' });
  await vi.advanceTimersByTimeAsync(16_000);
  expect(requests).toBe(2);
  stop();
  unsubscribe();
  queries.clear();
});

test('polls more often while a bank is confirming a payment', () => {
  const live = createLiveStore();
  expect([pollInterval(live, ['succeeded']), pollInterval(live, ['succeeded', 'processing'])]).toEqual([
    15_000, 2_000,
  ]);
});
