import type {
  ProviderDispute,
  ProviderDisputes,
  ProviderFraudWarning,
  ProviderReview,
} from '../../payments/ports/disputes.ts';
import type { SandboxDisputes, StoredDispute, StoredFraudWarning, StoredReview } from './sandbox-disputes.ts';

/**
 * Creates the port's functions for disputes, early fraud warnings and reviews in the sandbox.
 * @param call converts the errors of the sandbox
 */
export const createSandboxDisputesPort = (
  disputes: SandboxDisputes,
  call: <T>(work: () => Promise<T>) => Promise<T>,
): ProviderDisputes => ({
  listDisputes: async (since) => (await call(() => disputes.list(since))).map(fromSandboxDispute),
  listFraudWarnings: async (since) => (await call(() => disputes.listWarnings(since))).map(toFraudWarning),
  listReviews: async (since) => (await call(() => disputes.listReviews(since))).map(toReview),
  retrieveFraudWarning: async (id) => {
    const warning = await call(() => disputes.findWarning(id));
    return warning ? toFraudWarning(warning) : null;
  },
  retrieveReview: async (id) => {
    const review = await call(() => disputes.findReview(id));
    return review ? toReview(review) : null;
  },
});

/** Converts a dispute of the sandbox to the port's form. */
export function fromSandboxDispute(dispute: StoredDispute): ProviderDispute {
  const { status, outcome = null } = stages[dispute.status];
  return {
    disputeId: dispute.id,
    intentId: dispute.intent_id,
    isInquiry: dispute.status.startsWith('warning'),
    status,
    outcome,
    reason: dispute.reason,
    reasonCode: dispute.reason_code,
    amount: dispute.amount,
    openedAt: dispute.created_at,
    evidenceDueBy: dispute.due_by,
    submissions: dispute.submissions,
    withdrawnAmount: dispute.withdrawn_at ? dispute.amount : 0,
    withdrawnAt: dispute.withdrawn_at,
    reinstatedAmount: dispute.reinstated_at ? dispute.amount : 0,
    reinstatedAt: dispute.reinstated_at,
  };
}

const stages: Record<
  StoredDispute['status'],
  { status: ProviderDispute['status']; outcome?: ProviderDispute['outcome'] }
> = {
  needs_response: { status: 'needs_response' },
  under_review: { status: 'under_review' },
  won: { status: 'closed', outcome: 'won' },
  lost: { status: 'closed', outcome: 'lost' },
  warning_needs_response: { status: 'needs_response' },
  warning_under_review: { status: 'under_review' },
  warning_closed: { status: 'closed', outcome: 'inquiry_closed' },
};

const toFraudWarning = (warning: StoredFraudWarning): ProviderFraudWarning => ({
  warningId: warning.id,
  intentId: warning.intent_id,
  fraudType: warning.fraud_type,
  isActionable: warning.is_actionable,
  warnedAt: warning.created_at,
});

const toReview = (review: StoredReview): ProviderReview => ({
  reviewId: review.id,
  intentId: review.intent_id,
  isOpen: review.is_open,
  openedReason: review.opened_reason,
  closedReason: review.closed_reason,
  openedAt: review.created_at,
});
