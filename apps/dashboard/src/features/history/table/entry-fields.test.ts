import { expect, test } from 'vitest';
import { historyEntryFixture } from '../../../../fixtures/entities.ts';
import { historyColumns } from '../view-preference.ts';
import { compareInstants, compareWithDay, fieldText } from './entry-fields.ts';

test('returns the text of each column of a history entry', () => {
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

test('formats the time of a history entry in London time, even in summer', () => {
  const entry = historyEntryFixture({ occurred_at: '2026-06-30T23:30:00.000Z' });
  expect(fieldText(entry, 'when')).toBe('1 Jul 2026, 12:30 am');
});

test('sorts history entries by time, not by text', () => {
  const days = ['2026-11-02T09:00:00.000Z', '2025-12-31T09:00:00.000Z', '2026-11-10T09:00:00.000Z'];
  expect(days.toSorted(compareInstants)).toEqual([days[1], days[0], days[2]]);
});

const filterDay = new Date(2026, 6, 1);

test.each([
  ['2026-06-30T22:59:59.000Z', -1],
  ['2026-06-30T23:00:00.000Z', 0],
  ['2026-07-01T22:59:59.000Z', 0],
  ['2026-07-01T23:00:00.000Z', 1],
])('compares %s with a filter day by its day in London', (instant, order) => {
  expect(compareWithDay(filterDay, instant)).toBe(order);
});
