import { addDays, formatDay, londonClock, londonDay } from '@keyturn/format/london-time';
import { addWorkingDays, isWorkingDay } from './working-days.ts';

/** The day that the sources of the demonstration take as today, a working day. */
export const sourceToday = '2026-11-20';

/** Moves days and times of the sources to those of a demonstration that is loaded on another day. */
export interface Calendar {
  /** Moves a day, `YYYY-MM-DD`. A working day stays the same number of working days away from today. */
  day(source: string): string;
  /** Moves an instant and keeps its time of day in London. */
  instant(source: string): string;
}

/**
 * Creates the calendar of a demonstration. Its newest entries are on the last working day before it is loaded, so that
 * none is later than now.
 * @param loadedOn a day in Europe/London
 */
export function createCalendar(loadedOn: string): Calendar {
  const today = addWorkingDays(loadedOn, -1);
  // Hundreds of sources share a few days, and each start of a server moves them.
  const moved = new Map<string, string>();
  const move = (source: string): string => {
    if (isWorkingDay(source)) return addWorkingDays(today, workingDaysBetween(sourceToday, source));
    return addDays(day(addDays(source, -1)), 1);
  };
  const day = (source: string): string => {
    const target = moved.get(source) ?? move(source);
    moved.set(source, target);
    return target;
  };
  return {
    day,
    instant: (source) => {
      const target = day(londonDay(source));
      const time = source.slice(source.indexOf('T'));
      const inUtc = new Date(`${target}T${londonClock(source)}:00Z`);
      // The offset of London on the target day: none in winter, an hour in summer.
      const isSummer = londonClock(inUtc) !== inUtc.toISOString().slice(11, 16);
      const shifted = new Date(inUtc.getTime() - (isSummer ? 3_600_000 : 0));
      return `${shifted.toISOString().slice(0, 17)}${time.slice(7)}`;
    },
  };
}

/**
 * Moves every date in a JSON value. In texts a day is written as `{2026-10-15}`, which becomes "15 October 2026", or as
 * `{Thursday 2026-10-15}`, with the weekday.
 */
export function moveDates<Value>(value: Value, calendar: Calendar): Value {
  return move(value, calendar) as Value;
}

function move(value: unknown, calendar: Calendar): unknown {
  if (typeof value === 'string') return moveInText(value, calendar);
  if (Array.isArray(value)) return value.map((member) => move(member, calendar));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, move(member, calendar)]));
}

function moveInText(text: string, calendar: Calendar): string {
  if (/^\d{4}-\d\d-\d\d$/.test(text)) return calendar.day(text);
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(text)) return calendar.instant(text);
  return text.replaceAll(
    /\{(\w+day )?(\d{4}-\d\d-\d\d)\}/g,
    (_, weekday: string | undefined, source: string) => {
      const words = formatDay(calendar.day(source));
      return weekday ? words : words.slice(words.indexOf(' ') + 1);
    },
  );
}

/** Counts working days from a working day to another, negative if that one is earlier. */
function workingDaysBetween(from: string, to: string): number {
  const step = to < from ? -1 : 1;
  let count = 0;
  for (let day = from; day !== to; ) {
    day = addDays(day, step);
    if (isWorkingDay(day)) count += step;
  }
  return count;
}
