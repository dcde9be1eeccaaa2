import { describe, expect, test } from 'vitest';
import { createDuplicateFilter } from './duplicate-filter.ts';

describe('the duplicate filter', () => {
  test('fault 45: the duplicate filter accepts an event only once', () => {
    const isNew = createDuplicateFilter();
    expect(isNew('PaymentUpdated', { version: 7, ids: ['p'] })).toBe(true);
    expect(isNew('PaymentUpdated', { version: 7, ids: ['p'] })).toBe(false);
    expect(isNew('CaseUpdated', { version: 8, ids: [] })).toBe(true);
    expect(isNew('CaseUpdated', { version: 8, ids: [] })).toBe(false);
  });

  test('fault 45: the duplicate filter rejects an event that is older than one already seen for the same id', () => {
    const isNew = createDuplicateFilter();
    isNew('PaymentUpdated', { version: 9, ids: ['p'] });
    expect(isNew('PaymentUpdated', { version: 7, ids: ['p'] })).toBe(false);
    expect(isNew('PaymentUpdated', { version: 10, ids: ['p'] })).toBe(true);
  });

  test('the duplicate filter accepts events with different ids in any order of versions', () => {
    const isNew = createDuplicateFilter();
    isNew('PaymentUpdated', { version: 9, ids: ['p'] });
    expect(isNew('PaymentUpdated', { version: 7, ids: ['p', 'q'] })).toBe(true);
    expect(isNew('TaskUpdated', { version: 6, ids: ['p'] })).toBe(true);
    isNew('CaseUpdated', { version: 12, ids: [] });
    expect(isNew('CaseUpdated', { version: 11, ids: [] })).toBe(true);
  });

  test('the duplicate filter drops the oldest of thousands of events first', () => {
    const isNew = createDuplicateFilter();
    for (let version = 1; version <= 5_000; version += 1) isNew('E', { version, ids: [`id-${version}`] });
    expect(isNew('E', { version: 5_000, ids: ['id-5000'] })).toBe(false);
    expect(isNew('E', { version: 1, ids: ['id-1'] })).toBe(true);
  });
});
