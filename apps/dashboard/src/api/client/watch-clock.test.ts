import { expect, test } from 'vitest';
import { watchClock } from './watch-clock.ts';

const day = 86_400_000;

test.each([
  ['right', 20_000, false],
  ['a day ahead', day, true],
  ['a day behind', -day, true],
])('a device whose clock is %s', async (_, difference, isWrong) => {
  const answer = new Response(null, { headers: { date: new Date().toUTCString() } });
  const { fetch, isClockWrong } = watchClock(
    async () => answer,
    () => Date.now() + difference,
  );
  await fetch('/api/maintenance');
  expect(isClockWrong.get()).toBe(isWrong);
});

test('an answer that does not show its time says nothing about the clock of a device', async () => {
  const { fetch, isClockWrong } = watchClock(async () => new Response(null));
  await fetch('https://api.example.test/maintenance');
  expect(isClockWrong.get()).toBe(false);
});
