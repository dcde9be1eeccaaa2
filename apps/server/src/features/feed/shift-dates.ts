import { londonClock } from '@keyturn/format/london-time';

const oneDay = 86_400_000;

/** Whole weeks from a day to the day of an instant; never negative. */
export function wholeWeeksBetween(day: string, now: Date): number {
  return Math.max(0, Math.floor((now.getTime() - Date.parse(`${day}T00:00:00Z`)) / (7 * oneDay)));
}

/**
 * Every day and every instant in a JSON value, some days later. An instant keeps its time of day in London, over
 * the change of the clocks as well.
 */
export function shiftDates<Value>(value: Value, days: number): Value {
  if (days === 0) return value;
  return shift(value, days) as Value;
}

function shift(value: unknown, days: number): unknown {
  if (typeof value === 'string') {
    if (/^\d{4}-\d\d-\d\d$/.test(value)) return shiftedDay(value, days);
    if (/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(value)) return shiftedInstant(value, days);
    return value;
  }
  if (Array.isArray(value)) return value.map((member) => shift(member, days));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, shift(member, days)]));
}

const shiftedDay = (day: string, days: number) =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * oneDay).toISOString().slice(0, 10);

function shiftedInstant(instant: string, days: number): string {
  const before = new Date(instant);
  const after = new Date(before.getTime() + days * oneDay);
  return new Date(after.getTime() + londonOffset(before) - londonOffset(after)).toISOString();
}

/** Milliseconds that London is ahead of UTC: none in winter, an hour in summer. */
const londonOffset = (instant: Date) =>
  Number(londonClock(instant).slice(0, 2)) === instant.getUTCHours() ? 0 : 3_600_000;
