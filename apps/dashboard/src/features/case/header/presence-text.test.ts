import { expect, test } from 'vitest';
import { presenceText } from './presence-text.ts';

test.each([
  [[], null],
  [['Tom'], 'Tom is here too'],
  [['Priya', 'Tom'], 'Priya and Tom are here too'],
  [['Ann', 'Priya', 'Tom', 'Zoë'], 'Ann, Priya and 2 more are here too'],
])('announces that %j are viewing the case as %j', (names, text) => {
  expect(presenceText(names)).toBe(text);
});
