import { addDays, londonClock, londonDay } from './london-time.ts';

/*
 * Working days: Monday to Friday, except bank holidays and other closing days. A day is
 * `YYYY-MM-DD` in Europe/London.
 */

/** The firm's working days and cut-off time. */
export interface OrderingTimes {
  /** The time in London from which a payment is ordered on the next working day, `HH:MM`. */
  order_cutoff: string;
  /** Days besides weekends on which the firm is closed, with the bank holidays. */
  closed_on: readonly string[];
}

/** Returns whether a day is a working day. @param closedOn closing days besides weekends */
export const isWorkingDay = (day: string, closedOn: readonly string[]): boolean =>
  !isWeekend(day) && !closedOn.includes(day);

/**
 * Returns the day a number of working days after a day, or before it for a negative number; with 0, the day itself or
 * the next working day.
 */
export function addWorkingDays(day: string, count: number, closedOn: readonly string[]): string {
  const step = count < 0 ? -1 : 1;
  let current = day;
  for (let left = Math.abs(count); left > 0 || !isWorkingDay(current, closedOn); ) {
    current = addDays(current, step);
    if (left > 0 && isWorkingDay(current, closedOn)) left -= 1;
  }
  return current;
}

/**
 * Returns the day on which the firm orders a search that is paid at an instant: that day, or after the cut-off the
 * next working day.
 */
export function orderDay(paidAt: string | Date, { order_cutoff, closed_on }: OrderingTimes): string {
  const day = londonDay(paidAt);
  const isToday = isWorkingDay(day, closed_on) && londonClock(paidAt) < order_cutoff;
  return addWorkingDays(day, isToday ? 0 : 1, closed_on);
}

/**
 * Returns the day by which a firm that waits for the money orders a search.
 * @param clearedOn the day on which the money cleared
 */
export function orderDayOnceCleared(
  paidAt: string | Date,
  clearedOn: string,
  ordering: OrderingTimes,
): string {
  const day = orderDay(paidAt, ordering);
  // The provider can report it late on that day.
  const afterClearing = addWorkingDays(clearedOn, 1, ordering.closed_on);
  return [day, afterClearing].sort()[1] ?? day;
}

/** Working days until card money usually reaches the firm, if the payment provider has not named the day. */
export const usualClearingDays = 3;

/** Returns the day by which money that was paid at an instant is expected to clear. */
export const expectedClearingDay = (paidAt: string | Date, bankHolidays: readonly string[]): string =>
  addWorkingDays(londonDay(paidAt), usualClearingDays, bankHolidays);

function isWeekend(day: string): boolean {
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay();
  return weekday === 0 || weekday === 6;
}
