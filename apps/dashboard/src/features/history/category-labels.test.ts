import { historyCategories } from '@keyturn/contract';
import { expect, test } from 'vitest';
import { categoryOptions, historyCategoryNames, parseCategory } from './category-labels.ts';

test('offers every history category, with Everything first', () => {
  expect(categoryOptions.map(({ value }) => value)).toEqual(['', ...historyCategories]);
  expect(categoryOptions.every(({ label }) => label.length > 0)).toBe(true);
});

test('parses only known history categories', () => {
  expect(historyCategories.map(parseCategory)).toEqual([...historyCategories]);
  expect(['', 'everything', 'toString'].map(parseCategory)).toEqual([undefined, undefined, undefined]);
});

test('gives every history category a unique label', () => {
  expect(new Set(historyCategories.map((category) => historyCategoryNames[category])).size).toBe(
    historyCategories.length,
  );
});
