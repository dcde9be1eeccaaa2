import { expect, test } from 'vitest';
import { historyEntryFixture } from '../../../../fixtures/entities.ts';
import { groupByDay } from './group-by-day.ts';

const entriesAt = (...instants: string[]) =>
  instants.map((occurred_at) => historyEntryFixture({ id: occurred_at, occurred_at }));
const titles = (instants: string[], today = '2026-11-21') =>
  groupByDay(entriesAt(...instants), today).map(({ title, entries }) => [title, entries.length]);

test('titles the days of the history Today, Yesterday and then by date', () => {
  expect(
    titles([
      '2026-11-21T09:00:00.000Z',
      '2026-11-20T17:00:00.000Z',
      '2026-11-20T09:00:00.000Z',
      '2026-11-17T09:00:00.000Z',
      '2025-11-17T09:00:00.000Z',
    ]),
  ).toEqual([
    ['Today', 1],
    ['Yesterday', 2],
    ['Tuesday 17 November 2026', 1],
    ['Monday 17 November 2025', 1],
  ]);
});

test('starts each day of the history at midnight in London, even in summer', () => {
  expect(titles(['2026-06-30T23:30:00.000Z', '2026-06-30T22:30:00.000Z'])).toEqual([
    ['Wednesday 1 July 2026', 1],
    ['Tuesday 30 June 2026', 1],
  ]);
});

test('returns no days without history entries', () => {
  expect(titles([])).toEqual([]);
});
