import { describe, expect, test } from 'vitest';
import { createDuplicateFilter } from './duplicate-filter.ts';

describe('an event', () => {
  test('is news once', () => {
    const isNews = createDuplicateFilter();
    expect(isNews('PaymentUpdated', { version: 7, ids: ['p'] })).toBe(true);
    expect(isNews('PaymentUpdated', { version: 7, ids: ['p'] })).toBe(false);
    expect(isNews('CaseUpdated', { version: 8, ids: [] })).toBe(true);
    expect(isNews('CaseUpdated', { version: 8, ids: [] })).toBe(false);
  });

  test('is old when a later one of the same thing came before it', () => {
    const isNews = createDuplicateFilter();
    isNews('PaymentUpdated', { version: 9, ids: ['p'] });
    expect(isNews('PaymentUpdated', { version: 7, ids: ['p'] })).toBe(false);
    expect(isNews('PaymentUpdated', { version: 10, ids: ['p'] })).toBe(true);
  });

  test('is news in whatever order when it is of something else', () => {
    const isNews = createDuplicateFilter();
    isNews('PaymentUpdated', { version: 9, ids: ['p'] });
    expect(isNews('PaymentUpdated', { version: 7, ids: ['p', 'q'] })).toBe(true);
    expect(isNews('TaskUpdated', { version: 6, ids: ['p'] })).toBe(true);
    isNews('CaseUpdated', { version: 12, ids: [] });
    expect(isNews('CaseUpdated', { version: 11, ids: [] })).toBe(true);
  });

  test('is forgotten among thousands, the oldest first', () => {
    const isNews = createDuplicateFilter();
    for (let version = 1; version <= 5_000; version += 1) isNews('E', { version, ids: [`id-${version}`] });
    expect(isNews('E', { version: 5_000, ids: ['id-5000'] })).toBe(false);
    expect(isNews('E', { version: 1, ids: ['id-1'] })).toBe(true);
  });
});
