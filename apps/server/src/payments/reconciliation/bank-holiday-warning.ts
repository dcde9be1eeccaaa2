import { addDays, londonDay } from '@keyturn/format/london-time';
import type { Connection } from '../../platform/database.ts';
import { readFirmData } from '../../platform/firm-data/firm-data.ts';

/** The number of days before the end of the list from which to warn. gov.uk publishes each year well before that. */
const warnsBefore = 180;

/**
 * Warns the operator before the list of bank holidays ends, because days promised later could be bank holidays.
 * @returns null while the list is long enough
 */
export async function bankHolidayWarning(connection: Connection, now: Date): Promise<string | null> {
  const { value } = await readFirmData(connection, 'bank_holidays');
  const last = value.at(-1)?.day;
  if (last === undefined) return `no bank holidays are known, so promised days can be wrong: ${remedy}`;
  const end = `${last.slice(0, 4)}-12-31`;
  if (londonDay(now) <= addDays(end, -warnsBefore)) return null;
  return `bank holidays are known until ${end} only, so promised days can be wrong: ${remedy}`;
}

const remedy = 'add them at /desk/settings/bank-holidays';
