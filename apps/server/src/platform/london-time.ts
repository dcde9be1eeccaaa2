/**
 * The instant of a moment as people in London write it: `14:30` (the next time it is that), `2026-11-24 14:30`, or ISO
 * 8601 with its own zone. In the hour that comes twice in autumn the first is meant.
 * @returns null for anything else, and for an hour that spring leaves out
 */
export function parseLondonTime(text: string, now: Date): Date | null {
  const zoned = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/.test(text);
  if (zoned) return validOrNull(new Date(text));
  const [, day, time] = /^(?:(\d{4}-\d\d-\d\d)[ T])?(\d\d:\d\d)$/.exec(text) ?? [];
  if (time === undefined) return null;
  if (day !== undefined) return instantOf(day, time);
  const today = instantOf(londonDay(now), time);
  if (today && today > now) return today;
  return instantOf(londonDay(new Date(now.getTime() + 86_400_000)), time);
}

/** `2026-11-24 14:00`, as it is in London. */
export function formatLondonTime(instant: Date): string {
  const { day, time } = partsOf(instant);
  return `${day} ${time}`;
}

/** `2:00 pm on Tuesday 24 November 2026`, as it is in London and as the dashboard says it. */
export function formatLondonMoment(instant: Date): string {
  const parts = Object.fromEntries(inWords.formatToParts(instant).map(({ type, value }) => [type, value]));
  const hours = Number(parts.hour);
  const time = `${hours % 12 || 12}:${parts.minute} ${hours < 12 ? 'am' : 'pm'}`;
  return `${time} on ${parts.weekday} ${parts.day} ${parts.month} ${parts.year}`;
}

/** The calendar day, `YYYY-MM-DD`, that it is in London. */
export function londonDay(instant: Date): string {
  return partsOf(instant).day;
}

function instantOf(day: string, time: string): Date | null {
  const asUtc = Date.parse(`${day}T${time}:00Z`);
  // London is an hour ahead of UTC in summer, else level with it.
  for (const ahead of [3_600_000, 0]) {
    const candidate = validOrNull(new Date(asUtc - ahead));
    if (!candidate) return null;
    const told = partsOf(candidate);
    if (told.day === day && told.time === time) return candidate;
  }
  return null;
}

const validOrNull = (instant: Date) => (Number.isNaN(instant.getTime()) ? null : instant);

const london = new Intl.DateTimeFormat('en-CA', {
  timeZone: 'Europe/London',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});

const inWords = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'Europe/London',
  weekday: 'long',
  year: 'numeric',
  month: 'long',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});

function partsOf(instant: Date): { day: string; time: string } {
  const parts = Object.fromEntries(london.formatToParts(instant).map(({ type, value }) => [type, value]));
  return { day: `${parts.year}-${parts.month}-${parts.day}`, time: `${parts.hour}:${parts.minute}` };
}
