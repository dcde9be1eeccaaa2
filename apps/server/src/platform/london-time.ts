import { addDays, formatDay, formatTime, londonClock, londonDay } from '@keyturn/format/london-time';

/**
 * Parses a time that staff typed, in London time: `14:30` (the next time the clock shows it), `2026-11-24 14:30`, or
 * ISO 8601 with its own time zone. In the hour that occurs twice in autumn, the first occurrence is meant.
 * @returns null for any other text, and for an hour that the spring clock change skips
 */
export function parseLondonTime(text: string, now: Date): Date | null {
  const zoned = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/.test(text);
  if (zoned) return validOrNull(new Date(text));
  const [, day, time] = /^(?:(\d{4}-\d\d-\d\d)[ T])?(\d\d:\d\d)$/.exec(text) ?? [];
  if (time === undefined) return null;
  if (day !== undefined) return londonInstant(day, time);
  const today = londonInstant(londonDay(now), time);
  if (today && today > now) return today;
  return londonInstant(addDays(londonDay(now), 1), time);
}

/**
 * Returns the first moment of a day in London.
 * @param day a valid day, `YYYY-MM-DD`
 */
export function startOfLondonDay(day: string): Date {
  const start = londonInstant(day, '00:00');
  if (!start) throw new Error(`${day} is not a day`);
  return start;
}

/** Formats an instant in London time as commands read and write it: "2026-11-24 14:00". */
export const formatLondonTime = (instant: Date): string => `${londonDay(instant)} ${londonClock(instant)}`;

/** Formats an instant in London time as screens do: "2:00 pm on Tuesday 24 November 2026". */
export const formatLondonMoment = (instant: Date): string =>
  `${formatTime(instant)} on ${formatDay(londonDay(instant))}`;

function londonInstant(day: string, time: string): Date | null {
  const asUtc = Date.parse(`${day}T${time}:00Z`);
  // London is one hour ahead of UTC in summer and level with it in winter.
  for (const offset of [3_600_000, 0]) {
    const candidate = validOrNull(new Date(asUtc - offset));
    if (!candidate) return null;
    if (londonDay(candidate) === day && londonClock(candidate) === time) return candidate;
  }
  return null;
}

const validOrNull = (instant: Date) => (Number.isNaN(instant.getTime()) ? null : instant);
