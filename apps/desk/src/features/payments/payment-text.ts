import type { RefundBalance, StaffPayment, StaffRefund } from '@keyturn/contract/staff';
import { formatMoney } from '@keyturn/format/money';
import type { StatusTone } from '@keyturn/ui/content/status-tag.tsx';

/** Describes the state of a payment. A pending refund does not count as made. */
export function stateOf(payment: StaffPayment): { tone: StatusTone; text: string } {
  if (payment.under_review) return { tone: 'held', text: 'Under review' };
  if (payment.dispute === 'open') return { tone: 'held', text: 'Disputed' };
  if (payment.dispute === 'inquiry') return { tone: 'held', text: 'Bank inquiry' };
  if (payment.awaiting_approval > 0) return { tone: 'to-do', text: 'Refund to approve' };
  if (payment.refunds_on_their_way > 0) return { tone: 'moving', text: 'Refund on its way' };
  switch (payment.status) {
    case 'requires_payment_method':
      return payment.bank_state === 'failed'
        ? { tone: 'note', text: 'Declined by the bank' }
        : { tone: 'to-do', text: 'Not paid yet' };
    case 'requires_action':
      return { tone: 'moving', text: 'Waiting for bank confirmation' };
    case 'processing':
      return {
        tone: 'moving',
        text: payment.method === 'bank' ? 'Approved, waiting for the money' : 'Being processed',
      };
    case 'succeeded':
      return payment.failed_refund_amount > 0
        ? { tone: 'note', text: 'Paid, a refund failed' }
        : { tone: 'good', text: 'Paid' };
    case 'partially_refunded':
      return { tone: 'good', text: `${formatMoney(payment.refunded_amount)} refunded` };
    case 'refunded':
      return { tone: 'off', text: 'Refunded' };
    case 'cancelled':
      return { tone: 'off', text: 'Cancelled or expired' };
  }
}

/** Describes the state of a refund. */
export function refundStateOf({ status }: Pick<StaffRefund, 'status'>): { tone: StatusTone; text: string } {
  switch (status) {
    case 'awaiting_approval':
      return { tone: 'to-do', text: 'Waiting for approval' };
    case 'approved':
      return { tone: 'moving', text: 'Approved, not sent yet' };
    case 'rejected':
      return { tone: 'off', text: 'Rejected' };
    case 'pending':
      return { tone: 'moving', text: 'Being processed by the provider' };
    case 'requires_action':
      return { tone: 'note', text: 'Needs action at the provider' };
    case 'succeeded':
      return { tone: 'good', text: 'Refunded' };
    case 'failed':
      return { tone: 'held', text: 'Failed' };
    case 'cancelled':
      return { tone: 'off', text: 'Cancelled at the provider' };
  }
}

const causes: Record<string, string> = {
  payment_started: 'The client started it',
  payment_requested: 'The client opened the payment page',
  payment_confirmed: 'The client confirmed it',
  payment_refreshed: 'The client’s page asked the provider',
  payment_cancelled: 'A client cancelled it',
  another_attempt: 'The client tried again',
  intent_created: 'The provider has it',
  not_at_provider: 'The provider does not have it',
  reconciliation: 'The regular check at the provider',
  dispute_lookup: 'The regular check for disputes',
  expired: 'Nothing happened for 90 minutes',
  stopped_by_provider: 'The provider stopped it before any money moved',
  too_many_declines: 'Too many cards were declined',
  client_removed: 'The client is no longer on the case',
  client_disabled: 'The client’s access was disabled',
  erasure_ordered: 'The client’s data is to be erased',
  payer_checked: 'The payer was checked, so the money may be used',
  allocation_changed: 'Finance changed whose money it is',
  matter_named: 'Finance named the matter',
  refund_submitted: 'A refund was sent to the provider',
  refund_refused: 'The provider refused a refund',
  search_offered_again: 'The search can be paid again',
  recovered: 'Recovered after a restore',
  new_installation: 'A copy of the data became another installation',
};

/** Describes what changed a payment. The provider’s events have names with a dot, such as `payment_intent.succeeded`. */
export function describeCause(cause: string): string {
  if (cause.includes('.')) return 'The provider reported it';
  return causes[cause] ?? cause.replaceAll('_', ' ').replace(/^./, (letter) => letter.toUpperCase());
}

/** Describes the new state of a refund after a request or decision. */
export function refundMessage({ status, amount }: Pick<StaffRefund, 'status' | 'amount'>): string {
  const money = formatMoney(amount);
  switch (status) {
    case 'awaiting_approval':
      return `The refund of ${money} needs a second person’s approval. Nothing is refunded yet.`;
    case 'approved':
      return `The refund of ${money} is approved. The provider didn’t answer, so it will be made within about ten minutes.`;
    case 'rejected':
      return `The refund of ${money} is rejected. Nothing was refunded.`;
    case 'pending':
      return `The provider is processing the refund of ${money}.`;
    case 'requires_action':
      return `The refund of ${money} needs action at the provider before it is made.`;
    case 'succeeded':
      return `${money} was refunded.`;
    case 'failed':
      return `The refund of ${money} failed. The money has been returned to the firm.`;
    case 'cancelled':
      return `The refund of ${money} was cancelled at the provider.`;
  }
}

/**
 * Says before a refund what the provider can refund from, and what happens to a refund of more than that.
 * @param amount pence; null while no valid amount is entered
 * @returns null if there is nothing to say
 */
export function describeRefundBalance(
  { available, is_period_over }: RefundBalance,
  { amount, method }: { amount: number | null; method: StaffPayment['method'] },
): { text: string; isWarning: boolean } | null {
  if (is_period_over) {
    return {
      isWarning: true,
      text: 'The provider refunds payments by bank for 730 days, and this one is older. Pay the client back another way.',
    };
  }
  if (available === null) return null;
  const sum = available > 0 ? formatMoney(available) : 'Nothing';
  const found = `${sum} is available for refunds at the provider now.`;
  if (amount === null || amount <= available) return { isWarning: false, text: found };
  const outcome =
    method === 'bank'
      ? 'This refund would fail. Add money at the provider first.'
      : 'This refund waits at the provider until enough money is available.';
  return { isWarning: true, text: `${found} ${outcome}` };
}

/** Describes why a refund was not made. The provider’s other codes and the words of staff are shown as they are. */
export const describeRefundFailure = (reason: string): string =>
  reason === 'insufficient_funds' || reason === 'balance_insufficient'
    ? 'Too little money was available at the provider. Add money there, then refund again.'
    : reason;

/**
 * Reads an amount in pounds, such as “6” or “£1,206.50”.
 * @returns pence; null for anything else
 */
export function parsePounds(text: string): number | null {
  const [, pounds, pence = '0'] = /^£?(\d{1,6})(?:\.(\d{2}))?$/.exec(text.trim().replaceAll(',', '')) ?? [];
  const amount = Number(pounds) * 100 + Number(pence);
  return pounds === undefined || amount === 0 ? null : amount;
}
