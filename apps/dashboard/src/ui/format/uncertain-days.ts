import { formatDayRange, formatMonthRange, workingWeekOf } from '@keyturn/format/dates';

/** Days that are not certain yet: the range that the firm expects, the day it aims for, or the days that are usual. */
export type UncertainDays =
  | { kind: 'expected' | 'usual'; from: string; to: string }
  | { kind: 'aimed'; day: string };

/**
 * Says when something is expected: "Expected between 7 and 18 December", "Aiming for 7–11 December", or "Estimate: March
 * to May 2027" for days that are usual. A range that has passed is no longer expected.
 * @returns null for usual days that have passed
 */
export function uncertainDaysText(days: UncertainDays, today: string): string | null {
  if (days.kind === 'aimed') {
    const { from, to } = workingWeekOf(days.day);
    return `${to < today ? 'We aimed' : 'Aiming'} for ${formatDayRange(from, to, today)}`;
  }
  const { kind, from, to } = days;
  if (kind === 'expected') return `${to < today ? 'Was expected' : 'Expected'} ${between(from, to, today)}`;
  return to < today ? null : `Estimate: ${formatMonthRange(from, to)}`;
}

/** "between 7 and 18 December", "between 28 November and 4 December", "on 7 December" */
function between(from: string, to: string, today: string): string {
  if (from === to) return `on ${formatDayRange(from, to, today)}`;
  return `between ${formatDayRange(from, to, today).replace(/ ?– ?/, ' and ')}`;
}
