import type { ProviderIntent } from '../ports.ts';
import { summariseDispute, summariseRefund } from '../records/history-summaries.ts';
import type { PaymentChange, PaymentRow } from '../records/payment-row.ts';
import { decideOnIntent, isNewDispute, type PaymentDecision } from '../records/payment-states.ts';

/** What made us ask the provider, for the record of the payment. */
export interface PaymentCause {
  name: string;
  /** The provider's event, if a webhook was the cause. */
  eventId?: string;
}

/** Everything that the provider's state of an intent means for our payment. */
export interface SyncPlan {
  decision: PaymentDecision['kind'];
  /**
   * The updates of the payment's row, in order. The database allows only the single steps of `paymentTransitions`, and writes
   * one line of the record for each update; so money that was captured and refunded before we found out takes two
   * updates: first captured, then refunded. Every other plan has one update or none.
   */
  updates: PaymentChange[];
  /** When the payment was made, if this is how we find out; the first update then gets a receipt number. */
  paidAt: Date | null;
  /** A declined card that no provider event counts. */
  countsDecline: boolean;
  mails: PlannedMail[];
  /** What the firm or the card's bank did, for the case's history. */
  history: string[];
  alerts: { message: string; details: Record<string, unknown> }[];
}

export type PlannedMail =
  | { kind: 'receipt' }
  /** Pence refunded so far. */
  | { kind: 'refund'; refundedAmount: number }
  | { kind: 'not_paid' };

/**
 * Plans what follows from the provider's state of an intent, whatever order such states arrive in.
 * @param payment our row, locked
 */
export function planSync(
  payment: PaymentRow,
  intent: ProviderIntent,
  cause: PaymentCause,
  now: Date,
): SyncPlan {
  const decision = decideOnIntent(payment, intent);
  switch (decision.kind) {
    case 'unchanged':
    case 'stale':
      return { ...nothing, decision: decision.kind };
    case 'mismatched':
      return planReview(payment, intent, cause, decision.reason);
    case 'apply':
      return planChange(payment, intent, cause, now, decision);
  }
}

const nothing: Omit<SyncPlan, 'decision'> = {
  updates: [],
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

function planChange(
  payment: PaymentRow,
  intent: ProviderIntent,
  cause: PaymentCause,
  now: Date,
  { status, refundedAmount }: Extract<PaymentDecision, { kind: 'apply' }>,
): SyncPlan {
  const isNewlyPaid = payment.paidAt === null && paidStatuses.has(status);
  const refunded = refundedAmount - payment.refundedAmount;
  const dispute = intent.dispute && isNewDispute(payment, intent) ? intent.dispute : null;
  const change: PaymentChange = {
    status,
    refundedAmount,
    providerIntentId: intent.intentId,
    providerRevision: intent.revision,
    lastCause: cause.name,
    lastProviderEventId: cause.eventId ?? null,
    nextCheckAt: now,
    failureCode: intent.error?.code ?? null,
    ...(intent.card ? { cardBrand: intent.card.brand, cardLast4: intent.card.last4 } : {}),
    ...(isNewlyPaid ? { paidAt: now } : {}),
    ...(intent.dispute
      ? {
          disputeStatus: intent.dispute.status,
          disputeAmount: intent.dispute.amount,
          disputeOpenedAt: intent.dispute.openedAt,
        }
      : {}),
  };
  return {
    decision: 'apply',
    updates:
      isNewlyPaid && status !== 'succeeded'
        ? [{ ...change, status: 'succeeded', refundedAmount: 0 }, change]
        : [change],
    paidAt: isNewlyPaid ? now : null,
    // A decline that an event reports is counted with the event.
    countsDecline: intent.error !== null && cause.eventId === undefined,
    mails: [
      ...(isNewlyPaid ? [{ kind: 'receipt' as const }] : []),
      ...(refunded > 0 ? [{ kind: 'refund' as const, refundedAmount }] : []),
      ...(payment.status === 'processing' && unpaidStatuses.has(status)
        ? [{ kind: 'not_paid' as const }]
        : []),
    ],
    history: [
      ...(refunded > 0 ? [summariseRefund(refunded, payment)] : []),
      ...(dispute ? [summariseDispute(dispute, payment)] : []),
    ],
    alerts: dispute
      ? [
          {
            message: `a payment is disputed: ${disputeAdvice[dispute.status]}`,
            details: {
              payment: payment.id,
              intent: intent.intentId,
              status: dispute.status,
              amount: dispute.amount,
            },
          },
        ]
      : [],
  };
}

const paidStatuses: ReadonlySet<string> = new Set(['succeeded', 'partially_refunded', 'refunded']);
const unpaidStatuses: ReadonlySet<string> = new Set(['requires_payment_method', 'cancelled']);

const disputeAdvice = {
  open: 'answer it at the provider before its deadline',
  won: 'it is closed, and the firm keeps the money',
  lost: 'it is closed, and the bank has taken the money back',
} as const;
