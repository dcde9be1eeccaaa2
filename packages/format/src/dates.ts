/*
 * Dates and times as screens write them, in Europe/London whatever the reader's time zone. A day is `YYYY-MM-DD`;
 * an instant is ISO 8601.
 */
import { addDays, dayParts, formatDay, formatNearDay, formatTime, londonDay } from './london-time.ts';

/** Formats a day of the last week as "Wednesday", and an earlier one as "Wednesday 18 November". */
export const formatPastDay = (day: string, today: string): string =>
  day > addDays(today, -7) ? dayParts(day).weekday : formatNearDay(day, today);

/** Formats the months of a range of days: "March 2027", "March to May 2027" or "December 2026 to March 2027". */
export function formatMonthRange(from: string, to: string): string {
  const start = dayParts(from);
  const end = dayParts(to);
  const last = `${end.month} ${end.year}`;
  if (from.slice(0, 7) === to.slice(0, 7)) return last;
  return `${start.month}${start.year === end.year ? '' : ` ${start.year}`} to ${last}`;
}

/** Formats a day as "24 Nov 2026". */
export function formatShortDay(day: string): string {
  const { date, month, year } = dayParts(day);
  return `${date} ${month.slice(0, 3)} ${year}`;
}

/** Formats a day for a column of a table: "19 Nov", with the year when it is not the current one. */
export function formatShortNearDay(day: string, today: string): string {
  const { date, month } = dayParts(day);
  return isSameYear(day, today) ? `${date} ${month.slice(0, 3)}` : formatShortDay(day);
}

/** Formats the day of an instant as "24 Nov 2026". */
export const formatShortDayOf = (instant: string): string => formatShortDay(londonDay(instant));

/** Formats an instant for a record: "19 Nov 2026, 9:12 am". */
export const formatShortMoment = (instant: string): string =>
  `${formatShortDayOf(instant)}, ${formatTime(instant)}`;

/** Formats an instant in full: "Thursday 19 November 2026, 9:12 am". */
export const formatFullMoment = (instant: string): string =>
  `${formatDay(londonDay(instant))}, ${formatTime(instant)}`;

/** Formats when something ends: "9:12 am today" or "9:12 am on Thursday 19 November 2026". */
export function formatEnd(instant: string, today: string): string {
  const day = londonDay(instant);
  return `${formatTime(instant)} ${day === today ? 'today' : `on ${formatDay(day)}`}`;
}

/** Formats days as "2–8 December" or "28 November – 4 December", with the year when it is not the current one. */
export function formatDayRange(from: string, to: string, today: string): string {
  const start = dayParts(from);
  const end = dayParts(to);
  const endYear = isSameYear(to, today) ? '' : ` ${end.year}`;
  if (from === to) return `${end.date} ${end.month}${endYear}`;
  if (start.year !== end.year) {
    const startYear = isSameYear(from, today) ? '' : ` ${start.year}`;
    return `${start.date} ${start.month}${startYear} – ${end.date} ${end.month} ${end.year}`;
  }
  if (start.month !== end.month) return `${start.date} ${start.month} – ${end.date} ${end.month}${endYear}`;
  return `${start.date}–${end.date} ${end.month}${endYear}`;
}

/** Formats an instant as "today at 9:12 am", "yesterday at 9:12 am", "on 19 November" or "on 19 November 2025". */
export function formatMoment(instant: string, today: string): string {
  const day = londonDay(instant);
  if (day === today) return `today at ${formatTime(instant)}`;
  if (day === addDays(today, -1)) return `yesterday at ${formatTime(instant)}`;
  return `on ${formatDayRange(day, day, today)}`;
}

/** Formats an instant for a list of entries: "Today, 9:12 am", "Yesterday, 4:05 pm", "19 Nov" or "19 Nov 2025". */
export function formatEntryMoment(instant: string, today: string): string {
  const day = londonDay(instant);
  if (day === today) return `Today, ${formatTime(instant)}`;
  if (day === addDays(today, -1)) return `Yesterday, ${formatTime(instant)}`;
  return formatShortNearDay(day, today);
}

/** Returns Monday to Friday of a day's week, or of the next week for a Saturday or Sunday. */
export function workingWeekOf(day: string): { from: string; to: string } {
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay();
  const monday = addDays(day, weekday === 0 ? 1 : weekday === 6 ? 2 : 1 - weekday);
  return { from: monday, to: addDays(monday, 4) };
}

const isSameYear = (a: string, b: string) => a.slice(0, 4) === b.slice(0, 4);
