import type { CaseSearchStatus } from '@keyturn/contract';

/** The order of a search's statuses. `cancelled` can follow any status before `returned`. */
const order: readonly CaseSearchStatus[] = ['awaiting_payment', 'paid', 'ordered', 'returned', 'reviewed'];

/**
 * Decides the next status of a search that the feed sends. A search only moves forward, and stays payable while a
 * payment for it is in progress. The firm offers a search again after a full refund by sending another status and
 * then `awaiting_payment`: a feed that has always sent `awaiting_payment` may not know about the payment.
 * @param payment the search's payment in Keyturn, unless it was cancelled
 * @param sentBefore the status that the feed last sent; null if unknown
 * @returns the status, and whether the search is offered again; or the reason for rejecting it
 */
export function nextStatus(
  before: CaseSearchStatus,
  sent: CaseSearchStatus,
  payment: { paidAt: Date | null; isRefunded?: boolean } | undefined,
  sentBefore: CaseSearchStatus | null = null,
): { status: CaseSearchStatus; isOfferedAgain?: boolean } | { rejected: string } {
  const isNowSent = sentBefore !== null && sentBefore !== 'awaiting_payment';
  if (before === 'paid' && sent === 'awaiting_payment' && payment?.isRefunded && isNowSent)
    return { status: sent, isOfferedAgain: true };
  // The firm's system may not know about the payment yet.
  if (before === 'paid' && sent === 'awaiting_payment' && payment?.paidAt) return { status: 'paid' };
  if (sent === before) return { status: sent };
  if (before === 'cancelled') return { rejected: 'cannot leave cancelled: send a new search' };
  const isBack =
    sent === 'cancelled'
      ? order.indexOf(before) >= order.indexOf('returned')
      : order.indexOf(sent) < order.indexOf(before);
  if (isBack) return { rejected: `cannot go from ${before} to ${sent}` };
  if (before === 'awaiting_payment' && payment && !payment.paidAt)
    return { rejected: `cannot go from ${before} to ${sent}: a payment is in progress` };
  return { status: sent };
}
