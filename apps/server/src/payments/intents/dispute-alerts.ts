import { formatDayAndTime } from '@keyturn/format/london-time';
import type { ProviderDispute } from '../ports/disputes.ts';
import type { PaymentRow } from '../records/rows.ts';

export interface Alert {
  message: string;
  details: Record<string, unknown>;
}

/** A payment and its case, as alerts name them. */
export interface AlertSubject {
  payment: Pick<PaymentRow, 'id'>;
  /** The firm's reference of the case. */
  caseReference: string;
}

export type DisputeStep = 'opened' | 'escalated' | 'reopened' | 'rescheduled' | 'closed';

type AlertedDispute = Pick<
  ProviderDispute,
  'disputeId' | 'isInquiry' | 'status' | 'outcome' | 'amount' | 'reason' | 'reasonCode' | 'evidenceDueBy'
>;

/** Composes the alert about a step of a dispute: what happened, the deadline and what to do. */
export const disputeAlert = (subject: AlertSubject, dispute: AlertedDispute, step: DisputeStep): Alert => ({
  message: messageOf(dispute, step),
  details: detailsOf(subject, dispute),
});

/**
 * Composes the reminder of a dispute that is not answered.
 * @param days before its deadline: 7, 3, 1, or 0 once the deadline has passed
 */
export const reminderAlert = (subject: AlertSubject, dispute: AlertedDispute, days: number): Alert => ({
  message:
    days === 0
      ? 'a dispute was not answered before its deadline: the bank now decides without evidence'
      : `a dispute is not answered: evidence is due within ${days === 1 ? 'a day' : `${days} days`}`,
  details: detailsOf(subject, dispute),
});

function messageOf({ isInquiry, status, outcome }: AlertedDispute, step: DisputeStep): string {
  if (status === 'closed' && outcome) return outcomes[outcome];
  if (status === 'under_review')
    return 'a payment is disputed: evidence was submitted, and the bank is deciding';
  switch (step) {
    case 'escalated':
      return 'the bank’s question about a payment has become a dispute: answer it before its deadline';
    case 'reopened':
      return 'a dispute needs evidence again: answer it before its deadline';
    case 'rescheduled':
      return 'the deadline of a dispute has changed: answer it before the new one';
    default:
      return isInquiry
        ? 'the card’s bank asks about a payment: answer before the deadline, or it may become a dispute'
        : 'a payment is disputed: answer it at the provider before its deadline';
  }
}

const outcomes = {
  won: 'a dispute was won: the firm keeps the money',
  lost: 'a dispute was lost: the bank has taken the money back',
  inquiry_closed: 'the bank closed its question about a payment: the firm keeps the money',
  prevented: 'a dispute was prevented by a refund',
} as const;

const detailsOf = ({ payment, caseReference }: AlertSubject, dispute: AlertedDispute) => ({
  payment: payment.id,
  case: caseReference,
  dispute: dispute.disputeId,
  amount: dispute.amount,
  reason: describeReason(dispute),
  deadline: dispute.evidenceDueBy === null ? 'none' : formatDayAndTime(dispute.evidenceDueBy),
  action: actionOf(dispute),
});

function actionOf({ disputeId, status, outcome }: AlertedDispute): string {
  if (status === 'needs_response') {
    return `run "keyturn payments evidence ${disputeId}" and submit the PDF at the provider, or accept the dispute there`;
  }
  if (status === 'under_review') return 'wait for the bank’s decision';
  return outcome === 'lost'
    ? 'replace the client money that was taken back from the firm’s own money, and contact the client'
    : 'nothing';
}

/** Plain words for the codes that providers and card schemes use. */

const reasons: Record<string, string> = {
  bank_cannot_process: 'the bank could not process the payment',
  credit_not_processed: 'the payer says that a promised refund did not arrive',
  customer_initiated: 'the payer asked their bank to reverse the payment',
  debit_not_authorized: 'the payer says that they did not authorise the payment',
  duplicate: 'the payer says that they were charged twice',
  fraudulent: 'the payer says that they did not make this payment',
  general: 'the bank gave no specific reason',
  incorrect_account_details: 'the bank says that the account details are incorrect',
  insufficient_funds: 'the bank says that the account has insufficient funds',
  noncompliant: 'the bank says that the payment broke the rules of the card scheme',
  product_not_received: 'the payer says that they did not receive what they paid for',
  product_unacceptable: 'the payer says that what they received was not as described',
  subscription_canceled: 'the payer says that they had cancelled',
  unrecognized: 'the payer does not recognise the payment',
};

/** Returns the reason of a dispute in words, with the card scheme's code if it is known. */
export function describeReason({
  reason,
  reasonCode,
}: {
  reason: string;
  reasonCode: string | null;
}): string {
  const words = reasons[reason] ?? `the provider’s reason is “${reason.replaceAll('_', ' ')}”`;
  return reasonCode === null ? words : `${words} (card scheme code ${reasonCode})`;
}

const fraudTypes: Record<string, string> = {
  card_never_received: 'the card never reached its owner',
  fraudulent_card_application: 'the card was applied for in someone else’s name',
  made_with_counterfeit_card: 'the card was counterfeit',
  made_with_lost_card: 'the card was lost',
  made_with_stolen_card: 'the card was stolen',
  unauthorized_use_of_card: 'the card’s owner did not authorise the payment',
};

/** Returns what the bank of an early fraud warning suspects, in words. */
export const describeFraudType = (fraudType: string): string =>
  fraudTypes[fraudType] ?? 'the bank gave no specific reason';

const reviewOutcomes: Record<string, string> = {
  acknowledged: 'it was acknowledged',
  approved: 'the payment was approved',
  canceled: 'the payment was cancelled',
  disputed: 'the payment was disputed',
  payment_never_settled: 'the payment never settled',
  redacted: 'the payment’s data was redacted',
  refunded: 'the payment was refunded',
  refunded_as_fraud: 'the payment was refunded as fraudulent',
};

/** Returns why the provider closed a review, in words. */
export const describeReviewOutcome = (closedReason: string | null): string =>
  (closedReason && reviewOutcomes[closedReason]) || 'the provider gave no reason';
