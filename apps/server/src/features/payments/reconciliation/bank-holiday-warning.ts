import { bankHolidaysEnd } from '@keyturn/format/bank-holidays';
import { addDays, londonDay } from '@keyturn/format/london-time';

/** Days before the end of the list from which we warn. gov.uk publishes each year well before that. */
const warnsBefore = 180;

/**
 * Warns the operator before the list of bank holidays ends: later days would be promised on bank holidays.
 * @returns null while the list goes far enough
 */
export function bankHolidayWarning(now: Date): string | null {
  if (londonDay(now) <= addDays(bankHolidaysEnd, -warnsBefore)) return null;
  return `bank holidays are known until ${bankHolidaysEnd} only: install a newer Keyturn, or promised days can be wrong`;
}
