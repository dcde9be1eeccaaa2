import { type StripeRight, stripeRights } from './right-names.ts';
import { ruleOfRight } from './rules/right-rules.ts';
import { refusal } from './rules/stripe-rules.ts';

/** Refuses a call or an expansion that needs a right. @throws StripeApiError if the key lacks it */
export type RightCheck = (right: StripeRight | undefined) => void;

/** Creates the check of a key. */
export const createRightCheck =
  ({
    accountId,
    key,
    lacks,
  }: {
    accountId: string;
    key: string;
    lacks: readonly StripeRight[];
  }): RightCheck =>
  (right) => {
    if (right === undefined || !lacks.includes(right)) return;
    const shown = `${key.slice(0, 8)}${'*'.repeat(16)}${key.slice(-6)}`;
    throw refusal(ruleOfRight(right), { key: shown, account: accountId });
  };

/** Returns the right that a call needs. @param name such as `GET /v1/payment_intents/:id` */
export function rightOfCall(name: string): StripeRight | undefined {
  const [method, path = ''] = name.split(' ');
  const resource = Object.keys(subjects).find((found) => `${path}/`.startsWith(`/v1/${found}/`));
  const right = resource && `rak_${subjects[resource]}_${method === 'GET' ? 'read' : 'write'}`;
  return stripeRights.find((known) => known === right);
}

/** What the rights of a resource are called. Charges and refunds share theirs. */
const subjects: Record<string, string> = {
  account: 'accounts_kyc_basic',
  balance: 'balance',
  balance_transactions: 'balance_transaction_source',
  charges: 'charge',
  disputes: 'dispute',
  events: 'event',
  payment_intents: 'payment_intent',
  payouts: 'payout',
  'radar/early_fraud_warnings': 'early_fraud_warning',
  refunds: 'charge',
  reviews: 'review',
};

/** The right to expand a field, even where it is null. The rights of other fields follow from their objects. */
export const rightsOfFields: Partial<Record<string, StripeRight>> = {
  latest_charge: 'rak_charge_read',
  balance_transaction: 'rak_balance_transaction_source_read',
  refunds: 'rak_charge_read',
  payment_method: 'rak_payment_method_read',
};

/** The right to see an object in place of its id. */
export const rightsOfObjects: Partial<Record<string, StripeRight>> = {
  charge: 'rak_charge_read',
  dispute: 'rak_dispute_read',
  payment_intent: 'rak_payment_intent_read',
  payout: 'rak_payout_read',
  refund: 'rak_charge_read',
};
