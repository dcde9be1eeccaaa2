import type { HistoryEntry } from '@keyturn/contract';
import { formatShortMoment } from '@keyturn/format/dates';
import { londonDay } from '@keyturn/format/london-time';
import { historyCategoryNames } from '../category-labels.ts';
import type { HistoryColumn } from '../view-preference.ts';

export const columnTitles: Record<HistoryColumn, string> = {
  when: 'When',
  category: 'Category',
  actor: 'Who',
  summary: 'What happened',
  link: 'Link',
};

/** Returns the text of an entry in a column. */
export function fieldText(entry: HistoryEntry, column: HistoryColumn): string {
  if (column === 'when') return formatShortMoment(entry.occurred_at);
  if (column === 'category') return historyCategoryNames[entry.category];
  return entry[column] ?? '';
}

/** Sorts instants from the earliest to the latest. */
export const compareInstants = (a: string, b: string): number => Date.parse(a) - Date.parse(b);

/**
 * Compares an entry’s day in London with the day of a filter.
 * @param filterDay midnight of the day in the browser’s time zone
 * @returns below 0 for an earlier day, 0 for the same day
 */
export function compareWithDay(filterDay: Date, instant: string): number {
  const pad = (number: number) => String(number).padStart(2, '0');
  const day = `${filterDay.getFullYear()}-${pad(filterDay.getMonth() + 1)}-${pad(filterDay.getDate())}`;
  const entryDay = londonDay(instant);
  return entryDay < day ? -1 : entryDay > day ? 1 : 0;
}
