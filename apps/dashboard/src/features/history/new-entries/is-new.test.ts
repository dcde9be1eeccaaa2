import { expect, test } from 'vitest';
import { historyEntryFixture } from '../../../../fixtures/entities.ts';
import { isNew } from './is-new.ts';

const entry = historyEntryFixture({ occurred_at: '2026-11-19T09:02:00.000Z' });

test('what happened after everything known at first is new', () => {
  expect(isNew(entry, '2026-11-19T09:01:00.000Z')).toBe(true);
});

test('what was known, or is older, is not new', () => {
  expect(isNew(entry, '2026-11-19T09:02:00.000Z')).toBe(false);
  expect(isNew(entry, '2026-11-19T09:03:00.000Z')).toBe(false);
});

test('everything is new in a history that was empty, and nothing before that is known', () => {
  expect(isNew(entry, '')).toBe(true);
  expect(isNew(entry, undefined)).toBe(false);
});
