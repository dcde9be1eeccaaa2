import { formatDayAndTime } from '@keyturn/format/london-time';
import { formatMoney } from '@keyturn/format/money';
import { asc, desc, eq, sql } from 'drizzle-orm';
import type { Connection } from '../../platform/database.ts';
import { disputes } from '../../schema/tables/dispute-tables.ts';
import { payments } from '../../schema/tables/payment-tables.ts';
import { conveyancingCases } from '../../schema/tables/tables.ts';
import { describeFraudType, describeReason } from '../intents/dispute-alerts.ts';
import { findFraudWarnings, findOpenReviews } from './fraud-store.ts';

/**
 * Finds disputes with their payments and cases: the open ones first, by their deadlines, then the latest.
 * @param paymentId only the disputes of this payment
 */
export const findDisputesToList = (connection: Connection, paymentId?: string) =>
  connection
    .select({
      dispute: disputes,
      payment: payments,
      caseReference: conveyancingCases.reference,
      caseTitle: conveyancingCases.title,
    })
    .from(disputes)
    .innerJoin(payments, eq(payments.id, disputes.paymentId))
    .innerJoin(conveyancingCases, eq(conveyancingCases.id, payments.caseId))
    .where(paymentId === undefined ? undefined : eq(payments.id, paymentId))
    .orderBy(
      sql`array_position(array['needs_response', 'under_review', 'closed'], ${disputes.status})`,
      sql`case when ${disputes.status} = 'closed' then null else ${disputes.evidenceDueBy} end nulls last`,
      desc(disputes.openedAt),
      asc(disputes.providerDisputeId),
    );

export type ListedDispute = Awaited<ReturnType<typeof findDisputesToList>>[number];

/** Describes the disputes, early fraud warnings and open reviews of all payments, one line for each. */
export async function listDisputes(connection: Connection): Promise<string[]> {
  const listed = await findDisputesToList(connection);
  const warnings = await findFraudWarnings(connection);
  const reviews = await findOpenReviews(connection);
  return [
    ...listed.map(describeDispute),
    ...warnings.map(
      ({ warning, payment }) =>
        `Early fraud warning ${warning.providerWarningId} of ${formatDayAndTime(warning.warnedAt)}: ${describeFraudType(warning.fraudType)}. Payment ${payment.id}, ${formatMoney(payment.amount)}. ${
          warning.isActionable
            ? 'Find out whether the client made this payment. Refunding it before it is disputed avoids the dispute fee.'
            : 'No action needed: the payment has since been refunded or disputed.'
        }`,
    ),
    ...reviews.map(
      ({ review, payment }) =>
        `Review ${review.providerReviewId}, opened ${formatDayAndTime(review.openedAt)}: payment ${payment.id}, ${formatMoney(payment.amount)}. Approve it at the provider, or refund it.`,
    ),
  ];
}

function describeDispute({ dispute, payment, caseReference }: ListedDispute): string {
  const kind = dispute.isInquiry ? 'Inquiry' : 'Dispute';
  return `${kind} ${dispute.providerDisputeId}: ${describeState(dispute)}. ${formatMoney(dispute.amount)} of ${formatMoney(payment.amount)}, receipt ${payment.receiptNumber ?? 'none'}, case ${caseReference}, payment ${payment.id}. Reason: ${describeReason(dispute)}.${describeWithdrawal(dispute)}`;
}

function describeState({
  status,
  outcome,
  evidenceDueBy,
  submittedAt,
  closedAt,
}: ListedDispute['dispute']): string {
  switch (status) {
    case 'needs_response':
      return evidenceDueBy
        ? `needs an answer by ${formatDayAndTime(evidenceDueBy)}`
        : 'needs an answer; the provider gives no deadline';
    case 'under_review':
      return submittedAt
        ? `evidence submitted, recorded ${formatDayAndTime(submittedAt)}`
        : 'the bank is deciding';
    case 'closed':
      return `${outcomes[outcome ?? 'lost']}, recorded ${formatDayAndTime(closedAt ?? new Date(0))}`;
  }
}

const outcomes = {
  won: 'won',
  lost: 'lost',
  inquiry_closed: 'closed without a dispute',
  prevented: 'prevented by a refund',
} as const;

function describeWithdrawal({ withdrawnAmount, reinstatedAmount }: ListedDispute['dispute']): string {
  if (withdrawnAmount === 0) return '';
  const withdrawn = ` The bank has taken ${formatMoney(withdrawnAmount)}`;
  return reinstatedAmount > 0
    ? `${withdrawn} and paid back ${formatMoney(reinstatedAmount)}.`
    : `${withdrawn}.`;
}
