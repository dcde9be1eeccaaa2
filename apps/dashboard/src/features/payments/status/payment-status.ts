import {
  type BankPaymentState,
  type CaseSearch,
  type Firm,
  type Payment,
  type PaymentStatus,
  settledPaymentStatuses,
} from '@keyturn/contract';
import { formatShortDayOf } from '@keyturn/format/dates';
import { formatMoney } from '@keyturn/format/money';
import { formatPhone } from '@keyturn/format/phone-number';
import { isRefundPending, owedRefunds } from '@keyturn/format/refunds';
import type { StatusTone } from '@keyturn/ui/content/status-tag.tsx';

/** A payment's status as a tag for every owner: "the bank" is the payer's. */
export function paymentStatusTag(payment: Payment): { tone: StatusTone; text: string } {
  if (payment.under_review) return { tone: 'held', text: 'We’re reviewing it. Please don’t pay again' };
  if (payment.dispute?.status === 'inquiry')
    return { tone: 'note', text: `${paidOn(payment)}, queried by the card’s bank` };
  if (payment.dispute?.status === 'open')
    return { tone: 'held', text: `${paidOn(payment)}, disputed with the card’s bank` };
  if (payment.dispute?.status === 'lost')
    return { tone: 'note', text: `${paidOn(payment)}, reversed by the card’s bank` };
  if (payment.bank_state !== null && payment.bank_state !== 'settled') return bankTag(payment.bank_state);
  switch (payment.status) {
    case 'requires_payment_method':
      return { tone: 'to-do', text: 'Not finished, nothing charged' };
    case 'requires_action':
      return { tone: 'to-do', text: 'Not finished: confirm with the bank' };
    case 'processing':
      return { tone: 'moving', text: 'The bank is confirming it' };
    case 'succeeded':
      return { tone: 'good', text: paidOn(payment) };
    case 'partially_refunded':
    case 'refunded':
      return { tone: 'note', text: `${paidOn(payment)}, ${describeRefunds(payment)}` };
    case 'cancelled':
      return {
        tone: 'off',
        text: payment.cancelled_by
          ? `Cancelled by ${payment.cancelled_by.first_name}, nothing charged`
          : `${payment.stopped_by_provider ? 'Stopped' : 'Cancelled'}, nothing charged`,
      };
  }
}

/** States the refunded amount, and the amount of pending refunds. */
function describeRefunds(payment: Payment): string {
  const { status, refunded_amount, refunds } = payment;
  const pending = sumOf(refunds.filter(isRefundPending));
  const made = refunded_amount - pending;
  if (pending === 0) return status === 'refunded' ? 'fully refunded' : `${formatMoney(made)} refunded`;
  const refunding = `refunding ${formatMoney(pending)}`;
  return made > 0 ? `${formatMoney(made)} refunded, ${refunding}` : refunding;
}

const sumOf = (refunds: Payment['refunds']) => refunds.reduce((sum, { amount }) => sum + amount, 0);

/** The progress of a payment by bank before its money arrives. */
function bankTag(state: Exclude<BankPaymentState, 'settled'>): { tone: StatusTone; text: string } {
  switch (state) {
    case 'initiated':
      return { tone: 'to-do', text: 'Not finished: approve it at the bank' };
    case 'authorised':
      return { tone: 'moving', text: 'The bank approved it. We’re waiting for the money' };
    case 'failed':
      return { tone: 'to-do', text: 'Not paid: the bank didn’t complete it' };
  }
}

/** Whether the client can still continue or cancel the payment. */
export const isUnfinished = ({ status, under_review }: Payment): boolean =>
  !under_review && (status === 'requires_payment_method' || status === 'requires_action');

/** Whether the status is final unless the firm refunds the payment. */
export const isPaymentSettled = (status: PaymentStatus): boolean =>
  (settledPaymentStatuses as readonly PaymentStatus[]).includes(status);

/** Sorts payments that the client can finish first, then those that a bank is confirming; the rest keeps its order. */
export function compareUnfinishedFirst(a: Payment, b: Payment): number {
  const rank = (payment: Payment) => (isUnfinished(payment) ? 0 : payment.status === 'processing' ? 1 : 2);
  return rank(a) - rank(b);
}

/** Searches that were paid, but not by card here. */
export const searchesPaidByOtherMethod = (caseSearches: CaseSearch[], payments: Payment[]): CaseSearch[] =>
  caseSearches.filter(
    ({ id, paid_at }) =>
      paid_at !== null &&
      !payments.some((payment) => payment.case_search_id === id && payment.paid_at !== null),
  );

/** The totals paid and refunded, in pence. */
export function paymentTotals(
  payments: Payment[],
  paidOtherwise: CaseSearch[],
): { paid: number; refunded: number } {
  const made = payments.filter(({ paid_at }) => paid_at !== null);
  return {
    paid:
      made.reduce((sum, { amount }) => sum + amount, 0) +
      paidOtherwise.reduce((sum, { price }) => sum + price.gross, 0),
    refunded: made.reduce((sum, { refunded_amount }) => sum + refunded_amount, 0),
  };
}

/**
 * A note about a review, a dispute, a failed refund or one that is not made yet; null if there is none.
 * @param firm whom to call
 */
export function paymentNote(payment: Payment, firm: Pick<Firm, 'name' | 'phone'> | null): string | null {
  const { under_review, dispute, refunds } = payment;
  if (under_review) return 'Something about this payment needs checking. We will contact you.';
  if (dispute?.status === 'inquiry') {
    return `The card’s bank has asked us about ${formatMoney(dispute.amount)} of this payment. It has not taken any money back. We’ll reply to the bank. If you didn’t expect this, please call us.`;
  }
  if (dispute?.status === 'open') {
    return `The card’s bank has disputed ${formatMoney(dispute.amount)} of this payment. We are responding to it. If you didn’t ask your bank to dispute it, call us.`;
  }
  if (dispute?.status === 'lost') {
    return `The card’s bank has reversed ${formatMoney(dispute.amount)} of this payment. We will contact you about it.`;
  }
  const origin = payment.method === 'bank' ? 'the bank account it was paid from' : 'the card';
  const owed = owedRefunds(payment);
  const isReturned = owed.some(({ status }) => status === 'failed');
  if (owed.length > 0) {
    const amount = formatMoney(owed.reduce((sum, refund) => sum + refund.amount, 0));
    const what = isReturned ? `did not reach ${origin}` : 'was not made';
    return `The refund of ${amount} ${what}. We’ll be in touch to agree how to pay it back. You can also call ${firm ? `${firm.name} on ${formatPhone(firm.phone)}` : 'us'}.`;
  }
  const pending = refunds.filter(isRefundPending);
  if (pending.length > 0) {
    const amount = formatMoney(sumOf(pending));
    return `We’re refunding ${amount} to ${origin}. Banks usually show it within 5 to 10 working days.`;
  }
  return null;
}

const paidOn = ({ paid_at }: Payment) => (paid_at ? `Paid ${formatShortDayOf(paid_at)}` : 'Paid');
