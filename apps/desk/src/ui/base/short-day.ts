import { formatShortDay } from '@keyturn/format/dates';

/** Formats a day for a column of a table: “19 Nov”, with the year when it is not the current one. */
export const shortDay = (day: string, today: string): string =>
  day.slice(0, 4) === today.slice(0, 4) ? formatShortDay(day).replace(/ \d{4}$/, '') : formatShortDay(day);
