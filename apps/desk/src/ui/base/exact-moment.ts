import { formatShortDay } from '@keyturn/format/dates';
import { formatTime, londonDay } from '@keyturn/format/london-time';

/** Formats an instant with its day and time: “19 Nov 2026, 9:12 am”. */
export const formatExactly = (instant: string): string =>
  `${formatShortDay(londonDay(instant))}, ${formatTime(instant)}`;
