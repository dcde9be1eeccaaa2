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
