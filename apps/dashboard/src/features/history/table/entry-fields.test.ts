import { describe, expect, test } from 'vitest';
import { historyEntryFixture } from '../../../../fixtures/entities.ts';
import { historyColumns } from '../view-choice.ts';
import { compareInstants, compareWithDay, fieldText } from './entry-fields.ts';

test('a column says its part of an entry', () => {
  const entry = historyEntryFixture({
    occurred_at: '2026-11-20T09:12:00.000Z',
    category: 'document',
    actor: 'Siobhán Ó Dálaigh',
    summary: 'The report was shared',
    link: null,
  });
  expect(historyColumns.map((column) => fieldText(entry, column))).toEqual([
    '20 Nov 2026, 9:12 am',
    'Document',
    'Siobhán Ó Dálaigh',
    'The report was shared',
    '',
  ]);
});

test('the time is that of London, in summer as well', () => {
  const entry = historyEntryFixture({ occurred_at: '2026-06-30T23:30:00.000Z' });
  expect(fieldText(entry, 'when')).toBe('1 Jul 2026, 12:30 am');
});

test('moments are ordered as moments, not as words', () => {
  const days = ['2026-11-02T09:00:00.000Z', '2025-12-31T09:00:00.000Z', '2026-11-10T09:00:00.000Z'];
  expect(days.toSorted(compareInstants)).toEqual([days[1], days[0], days[2]]);
});

describe('a filter of a day', () => {
  const wanted = new Date(2026, 6, 1);

  test.each([
    ['2026-06-30T22:59:59.000Z', -1],
    ['2026-06-30T23:00:00.000Z', 0],
    ['2026-07-01T22:59:59.000Z', 0],
    ['2026-07-01T23:00:00.000Z', 1],
  ])('takes %s by its day in London', (instant, order) => {
    expect(compareWithDay(wanted, instant)).toBe(order);
  });
});
