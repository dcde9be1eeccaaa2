import type { CaseSearch, Firm, Payment } from '@keyturn/contract';
import { anotherCardNotice, onceCleared } from '@keyturn/format/clearing';
import { formatNearDay, formatTime, londonDay } from '@keyturn/format/london-time';
import { expectedClearingDay, orderDay, orderDayOnceCleared } from '@keyturn/format/working-days';
import { isDisputedOrInquiry, seeDisputeNote } from '../payments/disputed-payment.ts';

type Ordering = Pick<Firm, 'order_cutoff' | 'closed_on' | 'order_searches'>;

/** Whether the money of a paid search has cleared, and the day, if the provider has named it. */
type Clearing = NonNullable<CaseSearch['payment']>['clearing'];

/**
 * When the firm orders a search that is paid, and whose payer it has checked if necessary, by its current cut-off time and closed days: whether that day has passed, and
 * the day in words such as "today" or "on Monday 23 November". If the cut-off has changed since the payment, a
 * different day was named then, so no text may say which day was planned earlier. A firm that waits for the money orders once it
 * has cleared.
 */
export function orderOf(
  { paidAt, clearing }: { paidAt: string; clearing: Clearing },
  firm: Ordering,
  today: string,
): { isLate: boolean; text: string } {
  // A server of the last release says neither, and orders from the payment on.
  if (firm.order_searches === 'cleared' && clearing && !clearing.is_cleared) {
    const isExpected = clearing.on !== null && clearing.on >= today;
    return { isLate: false, text: onceCleared(isExpected ? formatNearDay(clearing.on ?? '', today) : null) };
  }
  const day =
    firm.order_searches === 'cleared' && clearing?.on
      ? orderDayOnceCleared(paidAt, clearing.on, firm)
      : orderDay(paidAt, firm);
  return { isLate: day < today, text: onDay(day, today) };
}

/**
 * Tells a client who is about to pay when the search will be ordered, as a clause without a full stop. It promises the day
 * if the client pays with their own card or from their own account, because the firm may have to check another person's first.
 */
export function orderPromise(now: Date, firm: Ordering): string {
  const today = londonDay(now);
  if (firm.order_searches === 'cleared') {
    const expected = formatNearDay(expectedClearingDay(now, firm.closed_on), today);
    return `If you pay yourself now, we’ll order the search ${onceCleared(expected)}`;
  }
  const day = orderDay(now, firm);
  return day === today
    ? `If you pay yourself before ${formatClock(firm.order_cutoff)}, we’ll order the search today`
    : `If you pay yourself now, we’ll order the search ${onDay(day, today)}`;
}

/** Tells a client who has paid for a search what happens next, as whole sentences. */
export function nextStepOfSearch(
  { status, supplier }: Pick<CaseSearch, 'status' | 'supplier'>,
  payment: Pick<Payment, 'paid_at' | 'status' | 'payer' | 'dispute' | 'clearing'>,
  firm: Ordering | null,
  today: string,
): string {
  if (status === 'cancelled') return 'This search was cancelled. We will tell you how much is refunded.';
  if (status === 'returned' || status === 'reviewed') return 'We have received the result.';
  if (status === 'ordered') return `We have ordered the search from ${supplier}.`;
  if (payment.status === 'refunded')
    return 'We have refunded all of this payment. Call us if you expected us to order the search.';
  if (isDisputedOrInquiry(payment)) return seeDisputeNote;
  if (!payment.paid_at || !firm)
    return `We will tell you here when we have ordered the search from ${supplier}.`;
  if (isPayerUnchecked(payment.payer))
    return `${anotherCardNotice} Then we’ll order the search from ${supplier} and tell you here.`;
  const paidAt = payment.payer.check?.done_at ?? payment.paid_at;
  const { text, isLate } = orderOf({ paidAt, clearing: payment.clearing }, firm, today);
  if (isLate)
    return `This search was paid for on ${formatNearDay(londonDay(payment.paid_at), today)} and isn’t marked as ordered yet. We’re sorry. Please call us.`;
  return `We’ll order the search from ${supplier} ${text} and tell you here when we have the result.`;
}

/** Whether another person paid, and the firm has not checked them yet, as far as the server says. */
export const isPayerUnchecked = ({ own_card, check }: Payment['payer']): boolean =>
  own_card === false && !check?.done_at;

const onDay = (day: string, today: string) => (day === today ? 'today' : `on ${formatNearDay(day, today)}`);

/** Formats `15:00` as "3:00 pm". Any winter day has the same clock as UTC. */
const formatClock = (clock: string) => formatTime(`2026-01-01T${clock}:00Z`);
