import type Stripe from 'stripe';
import type {
  ProviderDispute,
  ProviderDisputes,
  ProviderFraudWarning,
  ProviderReview,
} from '../../payments/ports/disputes.ts';
import { IntentNotFound } from '../../payments/ports/provider.ts';
import { toProviderError } from './to-provider-error.ts';

/** The maximum number of objects that a lookup reads. */
const maxListed = 10_000;

/** Creates the port's functions for disputes, early fraud warnings and reviews at Stripe. */
export function createStripeDisputes(stripe: Stripe): ProviderDisputes {
  return {
    listDisputes: (since) =>
      listAll(stripe.disputes.list({ created: createdSince(since), limit: 100 }), fromStripeDispute),
    listFraudWarnings: (since) =>
      listAll(
        stripe.radar.earlyFraudWarnings.list({ created: createdSince(since), limit: 100 }),
        toFraudWarning,
      ),
    listReviews: (since) =>
      listAll(stripe.reviews.list({ created: createdSince(since), limit: 100 }), toReview),
    retrieveFraudWarning: (warningId) =>
      orNull(async () => toFraudWarning(await stripe.radar.earlyFraudWarnings.retrieve(warningId))),
    retrieveReview: (reviewId) => orNull(async () => toReview(await stripe.reviews.retrieve(reviewId))),
  };
}

/** Reads every dispute of an intent. */
export const listDisputesOfIntent = (stripe: Stripe, intentId: string): Promise<Stripe.Dispute[]> =>
  stripe.disputes.list({ payment_intent: intentId, limit: 100 }).autoPagingToArray({ limit: maxListed });

/** Converts a dispute; null if it is not about an intent. */
export function fromStripeDispute(dispute: Stripe.Dispute): ProviderDispute | null {
  const intentId = idOf(dispute.payment_intent);
  if (intentId === null) return null;
  const { status, outcome = null, isInquiry = false } = stages[dispute.status] ?? { status: 'under_review' };
  const moved = dispute.balance_transactions.toSorted((a, b) => a.created - b.created);
  const withdrawals = moved.filter(({ amount }) => amount < 0);
  const reinstatements = moved.filter(({ amount }) => amount > 0);
  return {
    disputeId: dispute.id,
    intentId,
    isInquiry,
    status,
    outcome,
    reason: dispute.reason,
    reasonCode:
      dispute.network_reason_code ?? dispute.payment_method_details?.card?.network_reason_code ?? null,
    amount: dispute.amount,
    openedAt: instantOf(dispute.created),
    evidenceDueBy:
      dispute.evidence_details.due_by === null ? null : instantOf(dispute.evidence_details.due_by),
    submissions: dispute.evidence_details.submission_count,
    withdrawnAmount: Math.abs(sumOf(withdrawals)),
    withdrawnAt: firstInstant(withdrawals),
    reinstatedAmount: sumOf(reinstatements),
    reinstatedAt: firstInstant(reinstatements),
  };
}

interface Stage {
  status: ProviderDispute['status'];
  outcome?: ProviderDispute['outcome'];
  isInquiry?: boolean;
}

/** Stripe's dispute statuses. Any other counts as under review, so that we claim no outcome. */
const stages: Partial<Record<string, Stage>> = {
  needs_response: { status: 'needs_response' },
  appeal_needs_response: { status: 'needs_response' },
  under_review: { status: 'under_review' },
  appeal_under_review: { status: 'under_review' },
  won: { status: 'closed', outcome: 'won' },
  lost: { status: 'closed', outcome: 'lost' },
  prevented: { status: 'closed', outcome: 'prevented' },
  warning_needs_response: { status: 'needs_response', isInquiry: true },
  warning_under_review: { status: 'under_review', isInquiry: true },
  warning_closed: { status: 'closed', outcome: 'inquiry_closed', isInquiry: true },
};

function toFraudWarning(warning: Stripe.Radar.EarlyFraudWarning): ProviderFraudWarning | null {
  const intentId = idOf(warning.payment_intent);
  if (intentId === null) return null;
  return {
    warningId: warning.id,
    intentId,
    fraudType: warning.fraud_type,
    isActionable: warning.actionable,
    warnedAt: instantOf(warning.created),
  };
}

function toReview(review: Stripe.Review): ProviderReview | null {
  const intentId = idOf(review.payment_intent);
  if (intentId === null) return null;
  return {
    reviewId: review.id,
    intentId,
    isOpen: review.open,
    openedReason: review.opened_reason,
    closedReason: review.closed_reason,
    openedAt: instantOf(review.created),
  };
}

async function listAll<Listed, Converted>(
  pages: Stripe.ApiListPromise<Listed>,
  convert: (object: Listed) => Converted | null,
): Promise<Converted[]> {
  try {
    const listed = await pages.autoPagingToArray({ limit: maxListed });
    return listed.flatMap((object) => convert(object) ?? []);
  } catch (error) {
    throw toProviderError(error);
  }
}

async function orNull<Found>(work: () => Promise<Found | null>): Promise<Found | null> {
  try {
    return await work();
  } catch (error) {
    const converted = toProviderError(error);
    if (converted instanceof IntentNotFound) return null;
    throw converted;
  }
}

const idOf = (object: string | { id: string } | null | undefined): string | null =>
  typeof object === 'string' ? object : (object?.id ?? null);

const createdSince = (since: Date) => ({ gte: Math.floor(since.getTime() / 1000) });

const instantOf = (seconds: number) => new Date(seconds * 1000);

const sumOf = (moved: readonly Stripe.BalanceTransaction[]) =>
  moved.reduce((sum, { amount }) => sum + amount, 0);

const firstInstant = ([first]: readonly Stripe.BalanceTransaction[]) =>
  first ? instantOf(first.created) : null;
