import { expect, test } from 'vitest';
import { countOf } from './count-of.ts';

test.each([
  [0, '0 entries'],
  [1, '1 entry'],
  [2, '2 entries'],
])('writes a number of things: %d', (count, text) => {
  expect(countOf(count, 'entry', 'entries')).toBe(text);
});
