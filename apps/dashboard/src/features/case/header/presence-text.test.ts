import { expect, test } from 'vitest';
import { hereWords } from './presence-text.ts';

test.each([
  [[], null],
  [['Tom'], 'Tom is here too'],
  [['Priya', 'Tom'], 'Priya and Tom are here too'],
  [['Ann', 'Priya', 'Tom', 'Zoë'], 'Ann, Priya and 2 more are here too'],
])('of %j it says %j', (names, words) => {
  expect(hereWords(names)).toBe(words);
});
