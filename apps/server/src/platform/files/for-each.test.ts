import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { forEach } from './for-each.ts';

test('processes each item once, four at the same time', async () => {
  const done: number[] = [];
  let running = 0;
  let most = 0;
  await forEach([1, 2, 3, 4, 5, 6, 7, 8, 9], async (item) => {
    running += 1;
    most = Math.max(most, running);
    await pause(1);
    running -= 1;
    done.push(item);
  });
  expect(done.toSorted()).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  expect(most).toBe(4);
});

test('starts no further item after a failure, and finishes those that were started before it throws', async () => {
  const started: number[] = [];
  const finished: number[] = [];
  const failed = forEach(
    Array.from({ length: 100 }, (_, index) => index),
    async (item) => {
      started.push(item);
      if (item === 1) throw new Error('the second item fails');
      await pause(20);
      finished.push(item);
    },
  );
  await expect(failed).rejects.toThrow('the second item fails');
  expect(started).toEqual([0, 1, 2, 3]);
  expect(finished).toEqual([0, 2, 3]);
});
