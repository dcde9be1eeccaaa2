import type { PaymentStatus } from '@keyturn/contract';
import type { PlannedMail } from '../mails/payment-mails.ts';
import type { ProviderIntent } from '../ports/intents.ts';
import {
  summariseApproval,
  summariseBankFailure,
  summariseCompletedRefund,
  summariseFailedRefund,
  summariseRefund,
} from '../records/history-summaries.ts';
import {
  causeOf,
  decideOnIntent,
  newClearing,
  type PaymentDecision,
  paidStatus,
} from '../records/payment-states.ts';
import type { RefundStep } from '../records/refund-states.ts';
import type { PaymentChange, PaymentRow, RefundRow } from '../records/rows.ts';
import { alertsOnRefund, planRefunds, type RefundPlan } from './plan-refunds.ts';

/** The cause of the sync, for the record of the payment. */
export interface PaymentCause {
  name: string;
  /** The provider's event, if a webhook was the cause. */
  eventId?: string;
}

/** The changes that follow from the provider's state of an intent. */
export interface SyncPlan {
  decision: PaymentDecision['kind'];
  /**
   * The updates of the payment's row, in order. The database allows only the single steps of `paymentTransitions`, and writes
   * one line of the record for each update. Each refund that was made or has failed is a separate update, and so is
   * money that was captured and refunded before we found out. Other plans have one update or none.
   */
  updates: PaymentChange[];
  /** The refunds that are new or have changed, stored before the updates. */
  refunds: RefundStep[];
  /** When the payment was made, if this is how we find out; the first update then gets a receipt number. */
  paidAt: Date | null;
  /** A declined card that no provider event counts. */
  countsDecline: boolean;
  mails: PlannedMail[];
  /** The actions of the firm or the card's bank, for the case's history. */
  history: string[];
  alerts: { message: string; details: Record<string, unknown> }[];
}

/**
 * Plans the changes that follow from the provider's state of an intent. States can arrive in any order.
 * @param payment our row, locked
 * @param rows our refunds of the payment
 */
export function planSync(
  payment: PaymentRow,
  rows: readonly RefundRow[],
  intent: ProviderIntent,
  cause: PaymentCause,
  now: Date,
): SyncPlan {
  const refunds = planRefunds(payment, rows, intent.refunds);
  const { refundedAmount, steps } = refunds;
  const decision = decideOnIntent(payment, intent, { refundedAmount, isNew: steps.length > 0 });
  switch (decision.kind) {
    case 'unchanged':
    case 'stale':
      return { ...nothing, decision: decision.kind };
    case 'mismatched':
      return planReview(payment, intent, cause, decision.reason);
    case 'apply':
      return planChange(payment, intent, refunds, { cause, now, ...decision });
  }
}

const nothing: Omit<SyncPlan, 'decision'> = {
  updates: [],
  refunds: [],
  paidAt: null,
  countsDecline: false,
  mails: [],
  history: [],
  alerts: [],
};

function planReview(
  payment: PaymentRow,
  intent: ProviderIntent,
  cause: PaymentCause,
  reason: string,
): SyncPlan {
  if (reason === payment.reviewReason) return { ...nothing, decision: 'mismatched' };
  return {
    ...nothing,
    decision: 'mismatched',
    updates: [
      {
        reviewReason: reason,
        providerIntentId: payment.providerIntentId ?? intent.intentId,
        lastCause: cause.name,
        lastProviderEventId: cause.eventId ?? null,
      },
    ],
    alerts: [
      {
        message: 'a payment intent is not what we asked for',
        details: { payment: payment.id, intent: intent.intentId, reason },
      },
    ],
  };
}

interface AppliedChange extends Extract<PaymentDecision, { kind: 'apply' }> {
  cause: PaymentCause;
  now: Date;
}

function planChange(
  payment: PaymentRow,
  intent: ProviderIntent,
  { steps }: RefundPlan,
  { cause, now, status }: AppliedChange,
): SyncPlan {
  const isNewlyPaid = payment.paidAt === null && paidStatuses.has(status);
  const change: PaymentChange = {
    ...changeOf(payment, intent, cause),
    nextCheckAt: now,
    ...(isNewlyPaid ? { paidAt: now } : {}),
    ...(newClearing(payment, intent)?.isCleared ? { clearedAt: now } : {}),
  };
  return {
    decision: 'apply',
    updates: updatesOf(payment, steps, {
      ...change,
      status: isNewlyPaid ? 'succeeded' : status,
      isNewlyPaid,
    }),
    refunds: steps,
    paidAt: isNewlyPaid ? now : null,
    // A decline that an event reports is counted with the event.
    countsDecline: payment.method === 'card' && intent.error !== null && cause.eventId === undefined,
    mails: [
      ...(isNewlyPaid ? [{ kind: 'receipt' as const }] : []),
      ...steps.flatMap(mailOnRefund),
      ...(payment.status === 'processing' && unpaidStatuses.has(status)
        ? [{ kind: 'not_paid' as const }]
        : []),
    ],
    history: [...historyOfBank(payment, status), ...steps.flatMap((step) => historyOfRefund(step, payment))],
    alerts: [...steps.flatMap((step) => alertsOnRefund(step, payment))],
  };
}

/** The columns that copy the provider's state. */
function changeOf(payment: PaymentRow, intent: ProviderIntent, cause: PaymentCause): PaymentChange {
  const clearing = newClearing(payment, intent);
  return {
    providerIntentId: intent.intentId,
    providerRevision: intent.revision,
    lastCause: causeOf(intent, cause.name),
    lastProviderEventId: cause.eventId ?? null,
    failureCode: intent.error?.code ?? null,
    ...(clearing ? { clearsOn: clearing.on } : {}),
    // Before the money is captured, the statement has no line that could be recorded.
    ...(intent.capturedAt && intent.statementDescriptor
      ? { statementDescriptor: intent.statementDescriptor }
      : {}),
    ...(intent.card
      ? {
          cardBrand: intent.card.brand,
          cardLast4: intent.card.last4,
          cardWallet: intent.card.wallet ?? null,
        }
      : {}),
  };
}

/**
 * Splits a change into the single steps that the record has: the payment, then each refund that was made or has failed.
 * @param change.status without regard to refunds
 */
function updatesOf(
  payment: PaymentRow,
  steps: readonly RefundStep[],
  { isNewlyPaid, ...change }: PaymentChange & { isNewlyPaid: boolean },
): PaymentChange[] {
  let { refundedAmount, failedRefundAmount } = payment;
  const updates = steps.flatMap(({ id, refund, effect }): PaymentChange[] => {
    if (effect === 'made') refundedAmount += refund.amount;
    if (effect === 'reversed') refundedAmount -= refund.amount;
    if (effect === 'reversed' || effect === 'failed') failedRefundAmount += refund.amount;
    if (effect === 'settled' || effect === 'recorded') return [];
    const status = paidStatus(payment.amount, refundedAmount);
    return [{ ...change, status, refundedAmount, failedRefundAmount, lastRefundId: id }];
  });
  return isNewlyPaid || updates.length === 0 ? [change, ...updates] : updates;
}

function mailOnRefund({ id: refundId, effect, refund: { amount } }: RefundStep): PlannedMail[] {
  if (effect === 'made') return [{ kind: 'refund', refundId, amount }];
  // A client who got no email about a refund gets none about its failure.
  return effect === 'reversed' ? [{ kind: 'refund_failed', refundId, amount }] : [];
}

/**
 * Describes the progress of a payment by bank before the money arrives; the payment itself is recorded with its
 * payer.
 */
function historyOfBank(payment: PaymentRow, status: PaymentStatus): string[] {
  if (payment.method !== 'bank' || payment.status === status) return [];
  if (status === 'processing') return [summariseApproval(payment)];
  return payment.status === 'processing' && unpaidStatuses.has(status) ? [summariseBankFailure(payment)] : [];
}

function historyOfRefund({ effect, refund }: RefundStep, payment: PaymentRow): string[] {
  const { amount, status } = refund;
  if (effect === 'made') return [summariseRefund({ amount, status }, payment)];
  if (effect === 'settled' && status === 'succeeded') return [summariseCompletedRefund(amount, payment)];
  return effect === 'reversed' ? [summariseFailedRefund(amount, payment)] : [];
}

const paidStatuses: ReadonlySet<string> = new Set(['succeeded', 'partially_refunded', 'refunded']);
const unpaidStatuses: ReadonlySet<string> = new Set(['requires_payment_method', 'cancelled']);
