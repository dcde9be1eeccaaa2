import { expect, test } from 'vitest';
import { describeChanges } from './use-row-changes.ts';

const rowsOf = (rows: Record<string, string>) =>
  new Map(Object.entries(rows).map(([key, name]) => [key, { name }]));

const before = rowsOf({ a: 'Hale', b: 'Haddad' });

test('says how many rows were added, changed and removed', () => {
  expect(describeChanges(before, rowsOf({ b: 'Haddad, paid', c: 'Raman', d: 'Hale' }))).toBe(
    '2 rows added, 1 changed, 1 removed.',
  );
  expect(describeChanges(before, rowsOf({ b: 'Haddad' }))).toBe('1 row removed.');
});

test('says nothing about the same rows in another order', () => {
  expect(describeChanges(before, rowsOf({ b: 'Haddad', a: 'Hale' }))).toBe('');
});
