import { expect, test } from 'vitest';
import { joinNames } from './join-names.ts';

test('joins names with commas and a last “and”', () => {
  expect(joinNames([])).toBe('');
  expect(joinNames(['Tom Okafor'])).toBe('Tom Okafor');
  expect(joinNames(['Tom', 'Grace', 'Ann'])).toBe('Tom, Grace and Ann');
});
