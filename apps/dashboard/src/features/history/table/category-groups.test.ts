import { expect, test } from 'vitest';
import { historyEntryFixture } from '../../../../fixtures/entities.ts';
import { categoryRows, createCategoryGroups, isCategoryRow } from './category-groups.ts';

const entry = (id: string, category: 'payment' | 'search') => ({
  data: historyEntryFixture({ id, category }),
});
const allRows = () => [
  entry('a', 'payment'),
  ...categoryRows.map((data) => ({ data })),
  entry('b', 'search'),
  entry('c', 'payment'),
];
const idsOf = (rows: ReturnType<typeof allRows>) => rows.map(({ data }) => data.id);

test('puts each category before its entries, keeps their order and leaves out empty categories', () => {
  const groups = createCategoryGroups();
  const rows = allRows();
  groups.arrange(rows);
  expect(idsOf(rows)).toEqual(['category:search', 'b', 'category:payment', 'a', 'c']);
  expect(groups.get('payment')).toEqual({ count: 2, isOpen: true });
  expect(groups.get('message')).toEqual({ count: 0, isOpen: true });
});

test('hides the entries of a collapsed category, but still counts and exports them', () => {
  const groups = createCategoryGroups();
  groups.toggle('payment');
  const rows = allRows();
  groups.arrange(rows);
  expect(idsOf(rows)).toEqual(['category:search', 'b', 'category:payment']);
  expect(groups.get('payment')).toEqual({ count: 2, isOpen: false });
  expect(groups.entries().map(({ id }) => id)).toEqual(['b', 'a', 'c']);
  groups.toggle('payment');
  expect(groups.get('payment').isOpen).toBe(true);
});

test('counts only the entries that pass the filters, and notifies when a count or a state changes', () => {
  const groups = createCategoryGroups();
  let calls = 0;
  groups.subscribe(() => {
    calls += 1;
  });
  groups.arrange(allRows());
  expect(calls).toBe(2);
  groups.arrange(allRows());
  expect(calls).toBe(2);
  groups.arrange(allRows().filter(({ data }) => data.id !== 'c'));
  expect(groups.get('payment').count).toBe(1);
  expect(calls).toBe(3);
});

test('opens a category that is already open without a change', () => {
  const groups = createCategoryGroups();
  groups.toggle('payment', true);
  expect(groups.get('payment').isOpen).toBe(true);
});

test('distinguishes the row of a category from an entry', () => {
  expect(categoryRows.every(isCategoryRow)).toBe(true);
  expect(isCategoryRow({ id: '0b0e7a52-4a54-4c7e-9d1b-7d7f4f8a2c11' })).toBe(false);
});
