import { expect, test } from 'vitest';
import { watchClock } from './watch-clock.ts';

const day = 86_400_000;

test.each([
  ['right', 20_000, false],
  ['a day ahead', day, true],
  ['a day behind', -day, true],
])('reports a wrong clock when it differs by more than ten minutes: %s', async (_, difference, isWrong) => {
  const answer = new Response(null, { headers: { date: new Date().toUTCString() } });
  const { fetch, isClockWrong } = watchClock(
    async () => answer,
    () => Date.now() + difference,
  );
  await fetch('/api/maintenance');
  expect(isClockWrong.get()).toBe(isWrong);
});

test('ignores answers without a Date header', async () => {
  const { fetch, isClockWrong } = watchClock(async () => new Response(null));
  await fetch('https://api.example.test/maintenance');
  expect(isClockWrong.get()).toBe(false);
});
