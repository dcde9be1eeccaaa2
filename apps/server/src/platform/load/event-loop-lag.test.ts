import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { watchEventLoopLag } from './event-loop-lag.ts';

function block(milliseconds: number) {
  const until = performance.now() + milliseconds;
  while (performance.now() < until);
}

test('fault 73: measures a repeated delay of the event loop until the delay ends', async () => {
  const lag = watchEventLoopLag(20);
  for (let times = 0; times < 5; times += 1) {
    block(200);
    // Lets the timer run once.
    await wait(1);
  }
  expect(lag.milliseconds()).toBeGreaterThan(100);
  await expect.poll(lag.milliseconds).toBeLessThan(100);
  lag.stop();
});

test('ignores a single long delay of the event loop', async () => {
  const lag = watchEventLoopLag(20);
  block(600);
  await wait(1);
  expect(lag.milliseconds()).toBeLessThan(100);
  lag.stop();
});
