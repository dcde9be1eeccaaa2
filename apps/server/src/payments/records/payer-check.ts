import type { PaymentRow } from './rows.ts';

/**
 * Whether the money of a payment must not be used yet, because another person's card paid it and no one has recorded who that
 * is. The same as `awaits_payer_check` in the database.
 */
export const awaitsPayerCheck = ({
  ownCard,
  paidAt,
  payerCheck,
  refundedAmount,
  amount,
  disputeStatus,
}: Pick<
  PaymentRow,
  'ownCard' | 'paidAt' | 'payerCheck' | 'refundedAmount' | 'amount' | 'disputeStatus'
>): boolean =>
  ownCard === false &&
  paidAt !== null &&
  payerCheck === null &&
  refundedAmount < amount &&
  disputeStatus !== 'lost';
