/*
 * Days and times in Europe/London, whatever the reader's time zone. Month and weekday names are listed here because
 * browsers disagree on "Sept", commas and "a.m.". A day is `YYYY-MM-DD`; an instant is a `Date` or ISO 8601.
 */
const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];
const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

/** Returns the calendar day of an instant in London, as `YYYY-MM-DD`. */
export function londonDay(instant: string | Date): string {
  return inLondon(instant).slice(0, 10);
}

/** Returns the time of day of an instant in London on the 24-hour clock, as `HH:MM`. */
export function londonClock(instant: string | Date): string {
  return inLondon(instant).slice(11, 16);
}

/** Formats the time of day of an instant in London: "2:00 pm". */
export function formatTime(instant: string | Date): string {
  const [hour, minute] = londonClock(instant).split(':');
  const hours = Number(hour);
  return `${hours % 12 || 12}:${minute} ${hours < 12 ? 'am' : 'pm'}`;
}

/** Formats a day in full: "Tuesday 24 November 2026". */
export function formatDay(day: string): string {
  const { weekday, date, month, year } = dayParts(day);
  return `${weekday} ${date} ${month} ${year}`;
}

/** Formats an instant to the minute, in London: "Tuesday 24 November 2026 at 2:00 pm". */
export const formatDayAndTime = (instant: string | Date): string =>
  `${formatDay(londonDay(instant))} at ${formatTime(instant)}`;

/** Formats a day as "Tuesday 24 November", with the year when it is not the current one. */
export function formatNearDay(day: string, today: string): string {
  const { weekday, date, month, year } = dayParts(day);
  return `${weekday} ${date} ${month}${year === today.slice(0, 4) ? '' : ` ${year}`}`;
}

/** Returns the parts of a day as they are written: weekday and month in full, the date without a leading zero. */
export function dayParts(day: string): { weekday: string; date: string; month: string; year: string } {
  const [year = '', month = '', date = ''] = day.split('-');
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay();
  return {
    year,
    month: months[Number(month) - 1] ?? '',
    date: String(Number(date)),
    weekday: weekdays[weekday] ?? '',
  };
}

/** Returns the day a number of days later, or earlier for a negative number. */
export function addDays(day: string, days: number): string {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + days);
  return date.toISOString().slice(0, 10);
}

/**
 * Returns an instant in London’s time, in the form of ISO 8601 for UTC. Calculated, because the first use of `Intl` blocks
 * a phone for tens of milliseconds. The rule has applied since 1996 (now the Summer Time Order 2002); tests compare it with
 * the time zone database.
 */
function inLondon(instant: string | Date): string {
  const date = new Date(instant);
  const time = date.getTime();
  const year = date.getUTCFullYear();
  const isSummer = time >= lastSunday(year, 2) && time < lastSunday(year, 9);
  return new Date(isSummer ? time + 3_600_000 : time).toISOString();
}

/** Returns 01:00 UTC on the last Sunday of a month with 31 days. */
function lastSunday(year: number, month: number): number {
  const weekday = new Date(Date.UTC(year, month, 31)).getUTCDay();
  return Date.UTC(year, month, 31 - weekday, 1);
}
