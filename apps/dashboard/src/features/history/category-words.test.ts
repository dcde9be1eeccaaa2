import { historyCategories } from '@keyturn/contract';
import { expect, test } from 'vitest';
import { asCategory, categoryChoices, categoryLabels } from './category-words.ts';

test('every category can be chosen, and everything first', () => {
  expect(categoryChoices.map(({ value }) => value)).toEqual(['', ...historyCategories]);
  expect(categoryChoices.every(({ words }) => words.length > 0)).toBe(true);
});

test('a choice is the category it names, and nothing else is one', () => {
  expect(historyCategories.map(asCategory)).toEqual([...historyCategories]);
  expect(['', 'everything', 'toString'].map(asCategory)).toEqual([undefined, undefined, undefined]);
});

test('every category has words of its own', () => {
  expect(new Set(historyCategories.map((category) => categoryLabels[category])).size).toBe(
    historyCategories.length,
  );
});
