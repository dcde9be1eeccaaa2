import type { DisputeStatus, PaymentStatus } from '@keyturn/contract';

/**
 * The moves that a payment can make, and what makes it move. `payment_transitions` in the database is the same table;
 * whatever is not in it is refused there too.
 */
export const paymentTransitions = {
  requires_payment_method: {
    requires_action: 'the bank asks the payer to confirm',
    processing: 'the card was submitted, and the provider reports the outcome later',
    succeeded: 'the money was captured',
    cancelled: 'cancelled or expired before any money was captured',
  },
  requires_action: {
    requires_payment_method: 'the bank declined, or the payer did not confirm',
    processing: 'the payer has confirmed, and the provider reports the outcome later',
    succeeded: 'the money was captured',
    cancelled: 'cancelled or expired before any money was captured',
  },
  processing: {
    requires_payment_method: 'the bank declined',
    requires_action: 'the bank asks the payer to confirm',
    succeeded: 'the money was captured',
    cancelled: 'the provider cancelled it before any money was captured',
  },
  succeeded: {
    partially_refunded: 'the firm refunded a part',
    refunded: 'the firm refunded all of it',
  },
  partially_refunded: { refunded: 'the firm refunded the rest' },
  refunded: {},
  cancelled: {},
} as const satisfies Record<PaymentStatus, Partial<Record<PaymentStatus, string>>>;

/** The state of an intent at the provider. */
export interface ProviderIntentState {
  intentId: string;
  status: 'requires_payment_method' | 'requires_action' | 'processing' | 'succeeded' | 'cancelled';
  /** Pence. */
  amount: number;
  currency: string;
  /** The payment that the intent's metadata names. */
  paymentId: string | null;
  card: { brand: string; last4: string } | null;
  error: { code: string; message: string } | null;
  /** Pence refunded so far. */
  refundedAmount: number;
  /** The latest dispute; null if there is none, or the provider has no disputes. */
  dispute: Dispute | null;
  /** Increases with every change of the intent; null if the provider does not count changes. */
  revision: number | null;
}

/** The payer's bank disputes a payment, and may take the money back. */
export interface Dispute {
  status: DisputeStatus;
  /** Pence. */
  amount: number;
  openedAt: Date;
}

/** The columns of a payment that a decision depends on. */
export interface PaymentState {
  id: string;
  status: PaymentStatus;
  amount: number;
  currency: string;
  refundedAmount: number;
  failureCode: string | null;
  providerRevision: number | null;
  /** Why it needs manual review; it does not change until the review is closed. */
  reviewReason: string | null;
  /** When it was paid, with the stored intent. */
  paidAt: Date | null;
  disputeStatus: DisputeStatus | null;
  disputeAmount: number | null;
}

export type PaymentDecision =
  /** Apply the provider's state. */
  | { kind: 'apply'; status: PaymentStatus; refundedAmount: number }
  /** Nothing new. */
  | { kind: 'unchanged' }
  /** Older than our record, which never goes back. */
  | { kind: 'stale' }
  /** Not the payment that we asked for: it needs manual review, and is never marked paid. */
  | { kind: 'mismatched'; reason: string };

/** Decides what the provider's state of an intent means for a payment, in whatever order such states arrive. */
export function decideOnIntent(payment: PaymentState, facts: ProviderIntentState): PaymentDecision {
  const mismatch = findMismatch(payment, facts);
  if (mismatch) return { kind: 'mismatched', reason: mismatch };
  if (payment.reviewReason !== null) return { kind: 'mismatched', reason: payment.reviewReason };
  if (facts.revision !== null && payment.providerRevision !== null) {
    if (facts.revision < payment.providerRevision) return { kind: 'stale' };
    if (facts.revision === payment.providerRevision) return { kind: 'unchanged' };
  }
  if (payment.status === 'cancelled' && facts.status === 'succeeded' && !isWithoutMoney(facts)) {
    return { kind: 'mismatched', reason: 'a cancelled payment was paid' };
  }
  const status = statusOf(payment, facts);
  if (facts.refundedAmount < payment.refundedAmount) return { kind: 'stale' };
  if (status === payment.status) {
    const same =
      facts.refundedAmount === payment.refundedAmount &&
      (facts.error?.code ?? null) === payment.failureCode &&
      !isNewDispute(payment, facts);
    return same && facts.revision === payment.providerRevision
      ? { kind: 'unchanged' }
      : { kind: 'apply', status, refundedAmount: facts.refundedAmount };
  }
  // Money that was refunded before we found out was captured first.
  const reached = facts.status === 'succeeded' && payment.status in unpaidStatuses ? 'succeeded' : status;
  if (!(reached in paymentTransitions[payment.status])) return { kind: 'stale' };
  return { kind: 'apply', status, refundedAmount: facts.refundedAmount };
}

const unpaidStatuses = { requires_payment_method: true, requires_action: true, processing: true };

/** Whether the intent has a dispute that is new or has changed. A known dispute is never removed. */
export const isNewDispute = (
  payment: Pick<PaymentState, 'disputeStatus' | 'disputeAmount'>,
  { dispute }: Pick<ProviderIntentState, 'dispute'>,
): boolean =>
  dispute !== null && (dispute.status !== payment.disputeStatus || dispute.amount !== payment.disputeAmount);

/**
 * Finds what about an intent differs from what we asked for. The name in the intent no longer matters once a payment
 * is paid, since a review may have accepted it; and nothing matters for a cancelled payment without money.
 * @returns the difference in words; undefined if there is none
 */
export function findMismatch(
  payment: Pick<PaymentState, 'id' | 'amount' | 'currency' | 'status' | 'paidAt'>,
  facts: ProviderIntentState,
): string | undefined {
  if (payment.status === 'cancelled' && isWithoutMoney(facts)) return undefined;
  if (facts.paymentId !== payment.id && payment.paidAt === null)
    return `the intent names payment ${facts.paymentId ?? 'none'}`;
  if (facts.amount !== payment.amount) return `the amount is ${facts.amount}, not ${payment.amount}`;
  if (facts.currency !== payment.currency)
    return `the currency is ${facts.currency}, not ${payment.currency}`;
  if (facts.refundedAmount > payment.amount) return 'more was refunded than was captured';
  return undefined;
}

/** Whether an intent can neither be paid nor has any money left. */
export const isWithoutMoney = ({ status, amount, refundedAmount }: ProviderIntentState): boolean =>
  status === 'cancelled' || (status === 'succeeded' && refundedAmount >= amount);

function statusOf(payment: PaymentState, facts: ProviderIntentState): PaymentStatus {
  if (facts.status !== 'succeeded' || facts.refundedAmount === 0) return facts.status;
  return facts.refundedAmount < payment.amount ? 'partially_refunded' : 'refunded';
}
