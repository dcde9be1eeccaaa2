import type { CaseSearchStatus, FeedRecord } from '@keyturn/contract';

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

const words: Record<CaseSearchStatus, string> = {
  awaiting_payment: 'waiting for payment',
  paid: 'paid',
  ordered: 'ordered',
  returned: 'back',
  reviewed: 'reviewed',
  cancelled: 'cancelled',
};

/** What staff do with a search. */
export type SearchStep = 'order' | 'return' | 'cancel';

const allowedFrom: Record<SearchStep, readonly CaseSearchStatus[]> = {
  order: ['awaiting_payment', 'paid', 'ordered'],
  return: ['awaiting_payment', 'paid', 'ordered', 'returned', 'reviewed'],
  cancel: ['awaiting_payment', 'paid', 'ordered', 'cancelled'],
};
const stepWords = { order: 'ordered', return: 'returned', cancel: 'cancelled' };

/**
 * Explains to staff why a search cannot be ordered, returned or cancelled in its state.
 * @param isUnderPayment whether a client’s payment for it is neither paid nor cancelled
 * @returns null if it can be
 */
export function findObstacle(
  { status, name }: Pick<FeedRecord<'searches'>, 'status' | 'name'>,
  step: SearchStep,
  isUnderPayment: boolean,
): string | null {
  if (!allowedFrom[step].includes(status))
    return `${name} is ${words[status]}, so it can’t be ${stepWords[step]}.`;
  return isUnderPayment && status === 'awaiting_payment'
    ? `A client is paying for ${name} at this moment. Try again once the payment has succeeded or was cancelled: it expires 90 minutes after its last activity.`
    : null;
}
