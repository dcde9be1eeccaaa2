import type { FraudSignal, StaffDispute } from '@keyturn/contract/staff';
import type { Connection } from '../../platform/database.ts';
import { findFraudWarnings, findOpenReviews } from '../disputes/fraud-store.ts';
import { findDisputesToList, type ListedDispute } from '../disputes/list-disputes.ts';
import { describeFraudType, describeReason } from '../intents/dispute-alerts.ts';

/** Lists disputes, the open ones first by their deadline, and signals of fraud, those to act on first. */
export async function listStaffDisputes(
  connection: Connection,
): Promise<{ disputes: StaffDispute[]; signals: FraudSignal[] }> {
  const disputes = await findDisputesToList(connection);
  const warnings = await findFraudWarnings(connection);
  const reviews = await findOpenReviews(connection);
  const signals = [
    ...reviews.map(({ review, payment }) => ({
      kind: 'provider_review' as const,
      provider_id: review.providerReviewId,
      at: review.openedAt.toISOString(),
      found: `the provider is holding this payment until you review it (${review.openedReason.replaceAll('_', ' ')})`,
      is_open: review.isOpen,
      payment_id: payment.id,
      amount: payment.amount,
    })),
    ...warnings.map(({ warning, payment }) => ({
      kind: 'early_fraud_warning' as const,
      provider_id: warning.providerWarningId,
      at: warning.warnedAt.toISOString(),
      found: describeFraudType(warning.fraudType),
      is_open: warning.isActionable,
      payment_id: payment.id,
      amount: payment.amount,
    })),
  ];
  return { disputes: disputes.map(toStaffDispute), signals };
}

/** Converts a dispute to the contract's form. */
export function toStaffDispute({ dispute, payment, caseReference, caseTitle }: ListedDispute): StaffDispute {
  return {
    id: dispute.id,
    payment_id: payment.id,
    provider_dispute_id: dispute.providerDisputeId,
    is_inquiry: dispute.isInquiry,
    status: dispute.status,
    outcome: dispute.outcome,
    reason: describeReason(dispute),
    amount: dispute.amount,
    opened_at: dispute.openedAt.toISOString(),
    evidence_due_by: dispute.evidenceDueBy?.toISOString() ?? null,
    submitted_at: dispute.submittedAt?.toISOString() ?? null,
    closed_at: dispute.closedAt?.toISOString() ?? null,
    withdrawn_amount: dispute.withdrawnAmount,
    reinstated_amount: dispute.reinstatedAmount,
    payment: {
      description: payment.description,
      amount: payment.amount,
      receipt_number: payment.receiptNumber,
      case: { id: payment.caseId, reference: caseReference, title: caseTitle },
    },
  };
}
