import { afterEach, expect, test, vi } from 'vitest';
import { createBatchedReconnect } from './reconnect-in-batches.ts';

afterEach(() => vi.useRealTimers());

test('delays the next batch of reconnections while the event loop lags', () => {
  vi.useFakeTimers();
  const reconnected: string[] = [];
  let lag = 0;
  const { request, stop } = createBatchedReconnect({
    batchSize: 1,
    batchEvery: 100,
    reconnectAllCooldown: 1_000,
    listConnections: () => ['1', '2', '3'],
    reconnect: (sockets) => reconnected.push(...sockets),
    lag: () => lag,
  });
  request();
  expect(reconnected).toEqual(['1']);
  lag = 51;
  vi.advanceTimersByTime(1_000);
  expect(reconnected).toEqual(['1']);
  lag = 50;
  vi.advanceTimersByTime(200);
  expect(reconnected).toEqual(['1', '2', '3']);
  stop();
});
