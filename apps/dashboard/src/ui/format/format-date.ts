/*
 * Dates and times as the dashboard says them, in Europe/London whatever the reader's own zone. The names stand here
 * because browsers disagree on "Sept", commas and "a.m.". A day is `YYYY-MM-DD`; an instant is ISO 8601.
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

const london = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'Europe/London',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});

/** "Tuesday 24 November 2026" */
export function formatDay(day: string): string {
  const { weekday, date, month, year } = partsOf(day);
  return `${weekday} ${date} ${month} ${year}`;
}

/** "Tuesday 24 November", with the year when that is not today's. */
export function formatNearDay(day: string, today: string): string {
  const { weekday, date, month, year } = partsOf(day);
  return `${weekday} ${date} ${month}${isSameYear(day, today) ? '' : ` ${year}`}`;
}

/** "24 Nov 2026" */
export function formatShortDay(day: string): string {
  const { date, month, year } = partsOf(day);
  return `${date} ${month.slice(0, 3)} ${year}`;
}

/** "2–8 December", "28 November – 4 December"; the year where it is not today's. */
export function formatDayRange(from: string, to: string, today: string): string {
  const start = partsOf(from);
  const end = partsOf(to);
  const endYear = isSameYear(to, today) ? '' : ` ${end.year}`;
  if (from === to) return `${end.date} ${end.month}${endYear}`;
  if (start.year !== end.year) {
    const startYear = isSameYear(from, today) ? '' : ` ${start.year}`;
    return `${start.date} ${start.month}${startYear} – ${end.date} ${end.month} ${end.year}`;
  }
  if (start.month !== end.month) return `${start.date} ${start.month} – ${end.date} ${end.month}${endYear}`;
  return `${start.date}–${end.date} ${end.month}${endYear}`;
}

/** "2:00 pm" */
export function formatTime(instant: string): string {
  const { hour, minute } = londonParts(instant);
  const hours = Number(hour);
  return `${hours % 12 || 12}:${minute} ${hours < 12 ? 'am' : 'pm'}`;
}

/** "today at 9:12 am", "yesterday at 9:12 am", "on 19 November", "on 19 November 2025" */
export function formatMoment(instant: string, today: string): string {
  const day = londonDay(instant);
  if (day === today) return `today at ${formatTime(instant)}`;
  if (day === addDays(today, -1)) return `yesterday at ${formatTime(instant)}`;
  return `on ${formatDayRange(day, day, today)}`;
}

/** For a list of entries: "Today, 9:12 am", "Yesterday, 4:05 pm", "19 Nov", "19 Nov 2025" */
export function formatEntryMoment(instant: string, today: string): string {
  const day = londonDay(instant);
  if (day === today) return `Today, ${formatTime(instant)}`;
  if (day === addDays(today, -1)) return `Yesterday, ${formatTime(instant)}`;
  return isSameYear(day, today) ? formatShortDay(day).slice(0, -5) : formatShortDay(day);
}

/** The calendar day of an instant in London. */
export function londonDay(instant: string | Date): string {
  const { year, month, day } = londonParts(instant);
  return `${year}-${month}-${day}`;
}

/** Some days later, or earlier. */
export function addDays(day: string, days: number): string {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + days);
  return date.toISOString().slice(0, 10);
}

/** Monday to Friday around a day; of the week after it for a Saturday or Sunday. */
export function workingWeekOf(day: string): { from: string; to: string } {
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay();
  const monday = addDays(day, weekday === 0 ? 1 : weekday === 6 ? 2 : 1 - weekday);
  return { from: monday, to: addDays(monday, 4) };
}

const isSameYear = (one: string, other: string) => one.slice(0, 4) === other.slice(0, 4);

function partsOf(day: string) {
  const [year = '', month = '', date = ''] = day.split('-');
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay();
  return {
    year,
    month: months[Number(month) - 1] ?? '',
    date: String(Number(date)),
    weekday: weekdays[weekday] ?? '',
  };
}

function londonParts(instant: string | Date): Record<string, string> {
  const date = typeof instant === 'string' ? new Date(instant) : instant;
  return Object.fromEntries(london.formatToParts(date).map(({ type, value }) => [type, value]));
}
