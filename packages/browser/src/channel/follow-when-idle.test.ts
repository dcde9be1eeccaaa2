import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { followWhenIdle } from './follow-when-idle.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Code that loads or fails as listed, and what was started and stopped. */
function channel(...loads: boolean[]) {
  const stop = vi.fn();
  const start = vi.fn(() => stop);
  const load = vi.fn(async () => {
    if (!loads.shift()) throw new Error('the chunk is gone');
    return start;
  });
  return { load, start, stop };
}

const idle = () => vi.advanceTimersByTimeAsync(3_000);

test('follows the channel once the page is idle, until it is stopped', async () => {
  const { load, start, stop } = channel(true);
  const end = followWhenIdle(load);
  expect(load).not.toHaveBeenCalled();
  await idle();
  expect(start).toHaveBeenCalledOnce();
  expect(stop).not.toHaveBeenCalled();
  end();
  expect(stop).toHaveBeenCalledOnce();
});

test('loads the code of the channel again after it could not be loaded', async () => {
  const { load, start } = channel(false, true);
  followWhenIdle(load);
  await idle();
  expect(start).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(30_000);
  expect(start).toHaveBeenCalledOnce();
});

test('follows no channel that was stopped while its code was loading', async () => {
  const { load, start } = channel(true);
  const end = followWhenIdle(load);
  await vi.advanceTimersByTimeAsync(0);
  end();
  await idle();
  expect(start).not.toHaveBeenCalled();
  expect(vi.getTimerCount()).toBe(0);
});
