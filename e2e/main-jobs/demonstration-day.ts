import { londonDay } from '@keyturn/format/london-time';
import { addWorkingDays } from '../../demo/working-days.ts';
import { demonstrationDayVariable } from '../harness/start-product.ts';

/**
 * Returns whether the next working day of the demonstration firm has come, for which it promises its next update. It is the
 * day on which the demonstration was loaded, except on a weekend or a bank holiday.
 */
export function hasPromisedDayCome(): boolean {
  const today = londonDay(new Date());
  const promisedFor = addWorkingDays(process.env[demonstrationDayVariable] ?? today, 0);
  return promisedFor <= today;
}
