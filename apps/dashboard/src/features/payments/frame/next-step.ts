import type { CaseSearch, Firm } from '@keyturn/contract';
import { formatDayRange, workingWeekOf } from '@keyturn/format/dates';
import { londonDay } from '@keyturn/format/london-time';
import { orderPromise } from '../../../api/case/order-promise.ts';

/** Tells a client who is about to pay when the firm orders the search and expects its result. */
export function nextStepBeforePayment(
  { expected_on }: Pick<CaseSearch, 'expected_on'>,
  firm: Pick<Firm, 'order_cutoff' | 'closed_on' | 'order_searches'>,
  now: Date,
): string {
  const today = londonDay(now);
  const promise = orderPromise(now, firm);
  const otherCard = 'If someone else pays, it may take longer.';
  if (!expected_on || expected_on <= today) return `${promise}. ${otherCard}`;
  const { from, to } = workingWeekOf(expected_on);
  return `${promise} and expect the result in the week of ${formatDayRange(from, to, today)}. ${otherCard}`;
}
