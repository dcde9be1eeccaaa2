/** "Tuesday 24 November 2026 at 2:00 pm" in London. */
export function formatMoment(moment: Date): string {
  return `${formatDay(moment)} at ${formatTime(moment, false)}`;
}

/** "Tuesday 24 November 2026 at 2:00:05 pm (GMT)" in London: to the second, with the zone, for a record. */
export function formatExactMoment(moment: Date): string {
  return `${formatDay(moment)} at ${formatTime(moment, true)} (${partsOf(moment).timeZoneName})`;
}

/** Pence: 18480 → "£184.80" */
export const formatMoney = (pence: number): string => pounds.format(pence / 100);

/** Percent without idle zeros: 20 → "20%", 17.5 → "17.5%". */
export const formatRate = (percent: number): string => `${Number(percent.toFixed(2))}%`;

const pounds = new Intl.NumberFormat('en-GB', { style: 'currency', currency: 'GBP' });

const london = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'Europe/London',
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
  timeZoneName: 'short',
});

function formatDay(moment: Date): string {
  const { weekday, day, month, year } = partsOf(moment);
  return `${weekday} ${day} ${month} ${year}`;
}

function formatTime(moment: Date, seconds: boolean): string {
  const { hour, minute, second } = partsOf(moment);
  const hours = Number(hour);
  return `${hours % 12 || 12}:${minute}${seconds ? `:${second}` : ''} ${hours < 12 ? 'am' : 'pm'}`;
}

const partsOf = (moment: Date): Record<string, string> =>
  Object.fromEntries(london.formatToParts(moment).map(({ type, value }) => [type, value]));
