import { formatDay, formatTime, londonDay } from '@keyturn/format/london-time';

/** Formats an instant to the second, for a record: "Tuesday 24 November 2026 at 2:00:05 pm (GMT)". */
export function formatExactMoment(moment: Date): string {
  const seconds = String(moment.getUTCSeconds()).padStart(2, '0');
  const zone = zoned.formatToParts(moment).find(({ type }) => type === 'timeZoneName')?.value;
  return `${formatDay(londonDay(moment))} at ${formatTime(moment).replace(' ', `:${seconds} `)} (${zone})`;
}

const zoned = new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/London', timeZoneName: 'short' });
