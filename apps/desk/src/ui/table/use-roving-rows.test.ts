import { expect, test } from 'vitest';
import { positionAfter } from './use-roving-rows.ts';

const from = (key: string, index: number, hasKeys = true) => positionAfter(key, { index, count: 3, hasKeys });

test('moves between the rows of a table with j, k and the arrow keys, and stops at both ends', () => {
  expect([from('j', 0), from('ArrowDown', 1), from('j', 2)]).toEqual([1, 2, 2]);
  expect([from('k', 2), from('ArrowUp', 1), from('k', 0)]).toEqual([1, 0, 0]);
  expect([from('Home', 2), from('End', 0)]).toEqual([0, 2]);
});

test('leaves j and k alone while single keys are turned off, but not the arrow keys', () => {
  expect([from('j', 0, false), from('k', 1, false), from('x', 1)]).toEqual([null, null, null]);
  expect(from('ArrowDown', 0, false)).toBe(1);
});
