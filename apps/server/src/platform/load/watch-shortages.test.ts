import { expect, test } from 'vitest';
import { type Usage, watchShortages } from './watch-shortages.ts';

const usage = (used: Partial<{ files: number; heap: number; resident: number }>): Usage => ({
  files: { used: used.files ?? 10, limit: 100 },
  memory: [
    { used: used.heap ?? 10, limit: 100 },
    { used: used.resident ?? 10, limit: 100 },
  ],
});

test.each([
  ['nothing', usage({ files: 89, heap: 89, resident: 89 }), []],
  ['files', usage({ files: 90 }), ['files']],
  ['the heap', usage({ heap: 90 }), ['memory']],
  ['the memory of its container', usage({ resident: 90 }), ['memory']],
  ['memory, where the number of files is not known', { ...usage({ heap: 95 }), files: null }, ['memory']],
])('finds a process that is short of %s', async (_name, used, expected) => {
  expect(Object.keys(await watchShortages(async () => used)())).toEqual(expected);
});

test('reads what is used at most once a second, however often it is asked', async () => {
  let reads = 0;
  const find = watchShortages(async () => {
    reads += 1;
    return usage({});
  });
  await Promise.all(Array.from({ length: 100 }, find));
  expect(reads).toBe(1);
});

test('reads what this process really uses', async () => {
  expect(await watchShortages()()).toEqual({});
});
