import { expect, test } from 'vitest';
import { historyEntryFixture } from '../../../../fixtures/entities.ts';
import { isNew } from './is-new.ts';

const entry = historyEntryFixture({ occurred_at: '2026-11-19T09:02:00.000Z' });

test('marks an entry as new when it happened after all entries first loaded', () => {
  expect(isNew(entry, '2026-11-19T09:01:00.000Z')).toBe(true);
});

test('does not mark a known or older entry as new', () => {
  expect(isNew(entry, '2026-11-19T09:02:00.000Z')).toBe(false);
  expect(isNew(entry, '2026-11-19T09:03:00.000Z')).toBe(false);
});

test('marks every entry as new in a history that was empty, but none while it is loading', () => {
  expect(isNew(entry, '')).toBe(true);
  expect(isNew(entry, undefined)).toBe(false);
});
