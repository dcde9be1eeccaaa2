import { type CaseSearch, type Payment, type PaymentStatus, settledPaymentStatuses } from '@keyturn/contract';
import type { StatusTone } from '../../../ui/content/status-tag.tsx';
import { formatShortDay, londonDay } from '../../../ui/format/format-date.ts';
import { formatMoney } from '../../../ui/format/format-money.ts';

/** Where a payment stands, in words for the client. */
export function paymentStatusTag(payment: Payment): { tone: StatusTone; words: string } {
  if (payment.under_review) return { tone: 'held', words: 'We are looking at it. Do not pay again' };
  if (payment.dispute?.status === 'open')
    return { tone: 'held', words: `${paidOn(payment)}, questioned by the bank` };
  if (payment.dispute?.status === 'lost')
    return { tone: 'note', words: `${paidOn(payment)}, taken back by the bank` };
  switch (payment.status) {
    case 'requires_payment_method':
      return { tone: 'to-do', words: 'Not finished, nothing charged' };
    case 'requires_action':
      return { tone: 'to-do', words: 'Not finished: your bank asks you to confirm' };
    case 'processing':
      return { tone: 'moving', words: 'Your bank is confirming it' };
    case 'succeeded':
      return { tone: 'good', words: paidOn(payment) };
    case 'partially_refunded':
      return {
        tone: 'note',
        words: `${paidOn(payment)}, ${formatMoney(payment.refunded_amount)} given back`,
      };
    case 'refunded':
      return { tone: 'note', words: `${paidOn(payment)}, all given back` };
    case 'cancelled':
      return { tone: 'off', words: 'Cancelled, nothing charged' };
  }
}

/** Whether the client can still go on with it, or give it up. */
export const isUnfinished = ({ status, under_review }: Payment): boolean =>
  !under_review && (status === 'requires_payment_method' || status === 'requires_action');

/** Whether nothing more comes of it by itself: the money is there, or never will be. */
export const isSettled = (status: PaymentStatus): boolean =>
  (settledPaymentStatuses as readonly PaymentStatus[]).includes(status);

/** What wants something of the client comes first, then what is moving; the rest stays newest first. */
export function compareUnfinishedFirst(one: Payment, other: Payment): number {
  const rank = (payment: Payment) => (isUnfinished(payment) ? 0 : payment.status === 'processing' ? 1 : 2);
  return rank(one) - rank(other);
}

/** Searches that the firm was paid for in another way: there is no payment by card for them. */
export const searchesPaidByOtherMethod = (caseSearches: CaseSearch[], payments: Payment[]): CaseSearch[] =>
  caseSearches.filter(
    ({ id, paid_at }) =>
      paid_at !== null &&
      !payments.some((payment) => payment.case_search_id === id && payment.paid_at !== null),
  );

/** Pence: what was paid, and how much of it was given back. */
export function paymentTotals(
  payments: Payment[],
  elsewhere: CaseSearch[],
): { paid: number; refunded: number } {
  const made = payments.filter(({ paid_at }) => paid_at !== null);
  return {
    paid:
      made.reduce((sum, { amount }) => sum + amount, 0) +
      elsewhere.reduce((sum, { price }) => sum + price.gross, 0),
    refunded: made.reduce((sum, { refunded_amount }) => sum + refunded_amount, 0),
  };
}

/** What the firm or the bank has to say about a payment beside where it stands; null where there is nothing. */
export function paymentNote({ under_review, dispute }: Payment): string | null {
  if (under_review) return 'Something about this payment is not as it should be. We will contact you.';
  if (dispute?.status === 'open') {
    return `The card's bank has questioned ${formatMoney(dispute.amount)} of this payment. We are answering it. If you did not ask for this, call us.`;
  }
  if (dispute?.status === 'lost') {
    return `The card's bank has taken back ${formatMoney(dispute.amount)} of this payment. We will contact you about it.`;
  }
  return null;
}

const paidOn = ({ paid_at }: Payment) => (paid_at ? `Paid ${formatShortDay(londonDay(paid_at))}` : 'Paid');
