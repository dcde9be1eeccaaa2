import type { DisputeStatus, PaymentStatus } from '@keyturn/contract';

/**
 * The moves that a payment can make, and what makes it move. `payment_transitions` in the database is the same table;
 * whatever is not in it is refused there too.
 */
export const paymentTransitions = {
  requires_payment_method: {
    requires_action: 'the bank asks the payer to confirm',
    processing: 'the provider has taken the card and will say later',
    succeeded: 'the money was taken',
    cancelled: 'given up, or not finished in 90 minutes, before any money was taken',
  },
  requires_action: {
    requires_payment_method: 'the bank refused, or the payer did not confirm',
    processing: 'the payer has confirmed and the provider will say later',
    succeeded: 'the money was taken',
    cancelled: 'given up, or not finished in 90 minutes, before any money was taken',
  },
  processing: {
    requires_payment_method: 'the bank refused',
    requires_action: 'the bank asks the payer to confirm',
    succeeded: 'the money was taken',
    cancelled: 'the provider gave it up before any money was taken',
  },
  succeeded: {
    partially_refunded: 'the firm gave a part back',
    refunded: 'the firm gave all of it back',
  },
  partially_refunded: { refunded: 'the firm gave the rest back' },
  refunded: {},
  cancelled: {},
} as const satisfies Record<PaymentStatus, Partial<Record<PaymentStatus, string>>>;

/** What the provider says of an intent at one moment. */
export interface ProviderIntentState {
  intentId: string;
  status: 'requires_payment_method' | 'requires_action' | 'processing' | 'succeeded' | 'cancelled';
  /** Pence. */
  amount: number;
  currency: string;
  /** The payment that the intent was made for, as its metadata says. */
  paymentId: string | null;
  card: { brand: string; last4: string } | null;
  error: { code: string; message: string } | null;
  /** Pence given back so far. */
  refundedAmount: number;
  /** What the payer's bank makes of it; null where it has not questioned it, or the provider has no disputes. */
  dispute: Dispute | null;
  /** Grows with every change of the intent; null where the provider does not count. */
  revision: number | null;
}

/** The payer's bank has questioned a payment: it may take the money back. */
export interface Dispute {
  status: DisputeStatus;
  /** Pence. */
  amount: number;
  openedAt: Date;
}

/** What a decision needs to know of a payment. */
export interface PaymentState {
  id: string;
  status: PaymentStatus;
  amount: number;
  currency: string;
  refundedAmount: number;
  failureCode: string | null;
  providerRevision: number | null;
  /** A person has to look at it: it stays as it is until they have. */
  reviewReason: string | null;
  /** It was made: its money came with the intent that is stored. */
  paidAt: Date | null;
  disputeStatus: DisputeStatus | null;
  disputeAmount: number | null;
}

export type PaymentDecision =
  /** Take over what the provider says. */
  | { kind: 'apply'; status: PaymentStatus; refundedAmount: number }
  /** Nothing that we did not know. */
  | { kind: 'unchanged' }
  /** Older than what we know: never goes back. */
  | { kind: 'stale' }
  /** Not the payment that we asked for: for a person to look at, never paid. */
  | { kind: 'mismatched'; reason: string };

/** Decides what a word of the provider means for a payment, whatever order such words arrive in. */
export function decideOnIntent(payment: PaymentState, facts: ProviderIntentState): PaymentDecision {
  const mismatch = findMismatch(payment, facts);
  if (mismatch) return { kind: 'mismatched', reason: mismatch };
  if (payment.reviewReason !== null) return { kind: 'mismatched', reason: payment.reviewReason };
  if (facts.revision !== null && payment.providerRevision !== null) {
    if (facts.revision < payment.providerRevision) return { kind: 'stale' };
    if (facts.revision === payment.providerRevision) return { kind: 'unchanged' };
  }
  if (payment.status === 'cancelled' && facts.status === 'succeeded' && !isWithoutMoney(facts)) {
    return { kind: 'mismatched', reason: 'money was taken for a payment that was given up' };
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
  // What was given back before we heard of the payment was taken first.
  const reached = facts.status === 'succeeded' && payment.status in beforeTaken ? 'succeeded' : status;
  if (!(reached in paymentTransitions[payment.status])) return { kind: 'stale' };
  return { kind: 'apply', status, refundedAmount: facts.refundedAmount };
}

const beforeTaken = { requires_payment_method: true, requires_action: true, processing: true };

/** A dispute that we did not know, or that has gone on. One that is known is never forgotten. */
export const isNewDispute = (
  payment: Pick<PaymentState, 'disputeStatus' | 'disputeAmount'>,
  { dispute }: Pick<ProviderIntentState, 'dispute'>,
): boolean =>
  dispute !== null && (dispute.status !== payment.disputeStatus || dispute.amount !== payment.disputeAmount);

/**
 * What of an intent is not what we asked for. A payment that was made has its money, whatever name the intent bears: a
 * person may have taken it for this one. One that was given up asks for nothing any more, once the intent holds nothing.
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
  if (facts.refundedAmount > payment.amount) return `more was given back than was taken`;
  return undefined;
}

/** Neither can it be paid, nor is any money there. */
export const isWithoutMoney = ({ status, amount, refundedAmount }: ProviderIntentState): boolean =>
  status === 'cancelled' || (status === 'succeeded' && refundedAmount >= amount);

function statusOf(payment: PaymentState, facts: ProviderIntentState): PaymentStatus {
  if (facts.status !== 'succeeded' || facts.refundedAmount === 0) return facts.status;
  return facts.refundedAmount < payment.amount ? 'partially_refunded' : 'refunded';
}
