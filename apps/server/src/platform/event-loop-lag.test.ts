import { expect, test } from 'vitest';
import { watchEventLoopLag } from './event-loop-lag.ts';

test('a stall of the event loop is seen at once, and forgotten when it is over', async () => {
  const lag = watchEventLoopLag(20);
  const until = performance.now() + 300;
  while (performance.now() < until);
  expect(lag.milliseconds()).toBeGreaterThan(200);
  await expect.poll(lag.milliseconds, { timeout: 5_000 }).toBeLessThan(100);
  lag.stop();
});
