import type { HistoryEntry } from '@keyturn/contract';
import { addDays, formatDay, londonDay } from '@keyturn/format/london-time';

export interface HistoryDay {
  /** A calendar day in Europe/London. */
  day: string;
  /** "Today", "Yesterday", "Tuesday 17 November 2026" */
  title: string;
  entries: HistoryEntry[];
}

/** Groups entries, newest first, by the day in Europe/London on which they happened. */
export function groupByDay(entries: HistoryEntry[], today: string): HistoryDay[] {
  const days: HistoryDay[] = [];
  for (const entry of entries) {
    const day = londonDay(entry.occurred_at);
    const last = days.at(-1);
    if (last?.day === day) last.entries.push(entry);
    else days.push({ day, title: dayTitle(day, today), entries: [entry] });
  }
  return days;
}

function dayTitle(day: string, today: string): string {
  if (day === today) return 'Today';
  if (day === addDays(today, -1)) return 'Yesterday';
  return formatDay(day);
}
