import type { HistoryEntry } from '@keyturn/contract';
import { formatShortDay, formatTime, londonDay } from '../../../ui/format/format-date.ts';
import { categoryLabels } from '../category-words.ts';
import type { HistoryColumn } from '../view-choice.ts';

export const columnTitles: Record<HistoryColumn, string> = {
  when: 'When',
  category: 'Category',
  actor: 'Who',
  summary: 'What happened',
  link: 'Where it leads',
};

/** "20 Nov 2026, 9:12 am", in Europe/London. */
export const whenText = (instant: string): string =>
  `${formatShortDay(londonDay(instant))}, ${formatTime(instant)}`;

/** What a column says of an entry. */
export function fieldText(entry: HistoryEntry, column: HistoryColumn): string {
  if (column === 'when') return whenText(entry.occurred_at);
  if (column === 'category') return categoryLabels[entry.category];
  return entry[column] ?? '';
}

/** Earlier before later. */
export const compareInstants = (one: string, other: string): number => Date.parse(one) - Date.parse(other);

/**
 * Where an entry's day in London lies to the day of a filter: below zero before it, zero on it.
 * `wanted` is midnight of that day where the reader's own clock stands.
 */
export function compareWithDay(wanted: Date, instant: string): number {
  const two = (number: number) => String(number).padStart(2, '0');
  const day = `${wanted.getFullYear()}-${two(wanted.getMonth() + 1)}-${two(wanted.getDate())}`;
  const own = londonDay(instant);
  return own < day ? -1 : own > day ? 1 : 0;
}
