import { expect, test } from 'vitest';
import { describeRowChanges } from './use-row-changes.ts';

const rowsOf = (rows: Record<string, string>) =>
  new Map(Object.entries(rows).map(([key, name]) => [key, { name }]));

const before = rowsOf({ a: 'Hale', b: 'Haddad' });

test('announces how many table rows were added, changed and removed', () => {
  expect(describeRowChanges(before, rowsOf({ b: 'Haddad, paid', c: 'Raman', d: 'Hale' }))).toBe(
    '2 rows added, 1 changed, 1 removed.',
  );
  expect(describeRowChanges(before, rowsOf({ b: 'Haddad' }))).toBe('1 row removed.');
});

test('announces nothing when table rows only change their order', () => {
  expect(describeRowChanges(before, rowsOf({ b: 'Haddad', a: 'Hale' }))).toBe('');
});
