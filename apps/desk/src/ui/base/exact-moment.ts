import { formatShortDay, formatTime, londonDay } from '@keyturn/dashboard/ui/format/format-date.ts';

/** Formats an instant with its day and time: “19 Nov 2026, 9:12 am”. */
export const formatExactly = (instant: string): string =>
  `${formatShortDay(londonDay(instant))}, ${formatTime(instant)}`;
