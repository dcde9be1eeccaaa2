import type { PaymentStatus } from '@keyturn/contract';
import type { Clearing, ProviderIntentState } from '../ports/intents.ts';
import { refundedAmountOf } from './refund-states.ts';

/**
 * The allowed status transitions of a payment, with their causes. `payment_transitions` in the database is the same
 * table, and the database refuses all others too.
 */
export const paymentTransitions = {
  requires_payment_method: {
    requires_action: 'the bank asks the payer to confirm',
    processing: 'the payment was submitted, and the provider reports the outcome later',
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
  partially_refunded: {
    refunded: 'the firm refunded the rest',
    succeeded: 'the refund failed at the provider',
  },
  refunded: {
    partially_refunded: 'a part of the refunds failed at the provider',
    succeeded: 'the refund failed at the provider',
  },
  cancelled: {},
} as const satisfies Record<PaymentStatus, Partial<Record<PaymentStatus, string>>>;

/** The columns of a payment on which decisions depend. */
export interface PaymentState {
  id: string;
  status: PaymentStatus;
  amount: number;
  currency: string;
  refundedAmount: number;
  clearsOn: string | null;
  clearedAt: Date | null;
  failureCode: string | null;
  providerRevision: number | null;
  /** Why it needs manual review; it does not change until the review is closed. */
  reviewReason: string | null;
  /** When it was paid, with the stored intent. */
  paidAt: Date | null;
}

export type PaymentDecision =
  /** Apply the provider's state. */
  | { kind: 'apply'; status: PaymentStatus; refundedAmount: number }
  /** Nothing new. */
  | { kind: 'unchanged' }
  /** Older than our record, and therefore ignored. */
  | { kind: 'stale' }
  /** Not the requested payment: it needs manual review, and is never marked as paid. */
  | { kind: 'mismatched'; reason: string };

/** The consequences of the provider's answer for the refunds of a payment, from `planRefunds`. */
export interface RefundOutcome {
  /** The amount refunded after the change, in pence. */
  refundedAmount: number;
  /** Whether a refund is new, or its status has changed. */
  isNew: boolean;
}

/**
 * Whether a provider's state is an earlier step of an unpaid payment than ours: the bank has declined, or the answer
 * is stale. Only the provider's revision distinguishes the two.
 */
export const isRegression = ({ status }: PaymentState, facts: ProviderIntentState): boolean =>
  facts.revision === null &&
  unpaidSteps.includes(facts.status) &&
  unpaidSteps.indexOf(facts.status) < unpaidSteps.indexOf(status);

const unpaidSteps: PaymentStatus[] = ['requires_payment_method', 'requires_action', 'processing'];

/** Whether a newly created intent has the terms of the payment, so that nothing needs to be applied. */
export const isAsRequested = (payment: PaymentState, facts: ProviderIntentState): boolean =>
  findMismatch(payment, facts) === undefined &&
  payment.reviewReason === null &&
  payment.status === 'requires_payment_method' &&
  facts.status === payment.status &&
  facts.error === null &&
  facts.refunds.length === 0 &&
  facts.disputes.length === 0;

/**
 * Decides the consequences of the provider's state of an intent for a payment. States can arrive in any order.
 * @param refunds by default those of a payment without recorded refunds
 */
export function decideOnIntent(
  payment: PaymentState,
  facts: ProviderIntentState,
  refunds: RefundOutcome = {
    refundedAmount: refundedAmountOf(facts.refunds),
    isNew: facts.refunds.length > 0,
  },
): PaymentDecision {
  const mismatch = findMismatch(payment, facts);
  if (mismatch) return { kind: 'mismatched', reason: mismatch };
  if (payment.reviewReason !== null) return { kind: 'mismatched', reason: payment.reviewReason };
  if (facts.revision !== null && payment.providerRevision !== null) {
    if (facts.revision < payment.providerRevision) return { kind: 'stale' };
    // Clearing does not change the intent, so its revision stays the same.
    if (facts.revision === payment.providerRevision && !newClearing(payment, facts) && !refunds.isNew)
      return { kind: 'unchanged' };
  }
  if (payment.status === 'cancelled' && facts.status === 'succeeded' && !isWithoutMoney(facts)) {
    return { kind: 'mismatched', reason: 'a cancelled payment was paid' };
  }
  const { refundedAmount } = refunds;
  const status = facts.status === 'succeeded' ? paidStatus(payment.amount, refundedAmount) : facts.status;
  if (status === payment.status) {
    const same =
      !refunds.isNew && (facts.error?.code ?? null) === payment.failureCode && !newClearing(payment, facts);
    return same && facts.revision === payment.providerRevision
      ? { kind: 'unchanged' }
      : { kind: 'apply', status, refundedAmount };
  }
  // Money that was refunded before we recorded it was captured first.
  const reached = facts.status === 'succeeded' && payment.status in unpaidStatuses ? 'succeeded' : status;
  if (!(reached in paymentTransitions[payment.status])) return { kind: 'stale' };
  return { kind: 'apply', status, refundedAmount };
}

const unpaidStatuses = { requires_payment_method: true, requires_action: true, processing: true };

/** Returns the new clearing state; null if unchanged. Cleared money stays cleared. */
export const newClearing = (
  payment: Pick<PaymentState, 'clearsOn' | 'clearedAt'>,
  { clearing }: Pick<ProviderIntentState, 'clearing'>,
): Clearing | null =>
  clearing && payment.clearedAt === null && (clearing.isCleared || clearing.on !== payment.clearsOn)
    ? clearing
    : null;

/**
 * Finds the difference between an intent and the requested terms. The name in the intent no longer matters once a
 * payment is paid, because a review may have accepted it, and nothing matters for a cancelled payment without money.
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
  if (refundedAmountOf(facts.refunds) > payment.amount) return 'more was refunded than was captured';
  return undefined;
}

/** Whether an intent can neither be paid nor has any money left. */
export const isWithoutMoney = ({ status, amount, refunds }: ProviderIntentState): boolean =>
  status === 'cancelled' || (status === 'succeeded' && refundedAmountOf(refunds) >= amount);

/** The recorded cause of a cancellation by the provider itself, before any money moved. */
const stoppedByProvider = 'stopped_by_provider';

/** Returns the cause to record for the provider's state of an intent. @param cause why the state was read */
export const causeOf = (facts: Pick<ProviderIntentState, 'isStoppedByProvider'>, cause: string): string =>
  facts.isStoppedByProvider ? stoppedByProvider : cause;

/** Whether the provider itself cancelled a payment, so that its client may start another one. */
export const isStoppedByProvider = ({
  status,
  lastCause,
}: {
  status: PaymentStatus;
  lastCause: string;
}): boolean => status === 'cancelled' && lastCause === stoppedByProvider;

/** Returns the status of a payment that was paid. */
export function paidStatus(amount: number, refundedAmount: number): PaymentStatus {
  if (refundedAmount === 0) return 'succeeded';
  return refundedAmount < amount ? 'partially_refunded' : 'refunded';
}
