import type { CaseSearchStatus } from '@keyturn/contract';

/** The way of a search; `cancelled` is reached from what has not yet come back. */
const way: readonly CaseSearchStatus[] = ['awaiting_payment', 'paid', 'ordered', 'returned', 'reviewed'];

/**
 * The status of a search after the firm's word: it goes only forward, and does not leave a payment that is under way
 * without what it pays for.
 * @param payment the one that was started here and not given up, if there is one
 * @returns the status, or why it cannot be
 */
export function nextStatus(
  before: CaseSearchStatus,
  said: CaseSearchStatus,
  payment: { paidAt: Date | null } | undefined,
): { status: CaseSearchStatus } | { refused: string } {
  // The firm's system may not have heard of the payment yet.
  if (before === 'paid' && said === 'awaiting_payment' && payment?.paidAt) return { status: 'paid' };
  if (said === before) return { status: said };
  if (before === 'cancelled') return { refused: 'cannot leave cancelled: send a new search' };
  const isBack =
    said === 'cancelled'
      ? way.indexOf(before) >= way.indexOf('returned')
      : way.indexOf(said) < way.indexOf(before);
  if (isBack) return { refused: `cannot go from ${before} to ${said}` };
  if (before === 'awaiting_payment' && payment && !payment.paidAt)
    return { refused: `cannot go from ${before} to ${said}: a payment is under way` };
  return { status: said };
}
