import { type StripeRight, stripeRights } from '../right-names.ts';
import {
  type BreakingRequest,
  cancelRefund,
  everyCall,
  pages,
  refunding,
  type StripeRule,
} from './stripe-rule.ts';

const intent = 'GET /v1/payment_intents/{intent}';

/** The calls that need a right, and the expansions that do. */
const uses: Record<StripeRight, BreakingRequest[]> = {
  rak_accounts_kyc_basic_read: [{ call: 'GET /v1/account' }],
  rak_balance_read: [{ call: 'GET /v1/balance' }],
  rak_balance_transaction_source_read: [
    { call: 'GET /v1/balance_transactions' },
    { call: intent, send: 'expand[0]=latest_charge.balance_transaction' },
  ],
  rak_charge_read: [
    { call: 'GET /v1/charges' },
    { call: 'GET /v1/refunds' },
    { call: intent, send: 'expand[0]=latest_charge' },
    { call: 'GET /v1/payment_intents', send: 'expand[0]=data.latest_charge' },
  ],
  rak_charge_write: [
    refunding('payment_intent={intent}'),
    { call: cancelRefund.replace(':id', '{refund}'), given: 'refunded' },
  ],
  rak_dispute_read: [{ call: 'GET /v1/disputes' }],
  rak_dispute_write: [{ call: 'POST /v1/disputes/{dispute}/close', given: 'disputed' }],
  rak_early_fraud_warning_read: [{ call: 'GET /v1/radar/early_fraud_warnings' }],
  rak_event_read: [{ call: 'GET /v1/events' }],
  rak_payment_intent_read: [
    { call: 'GET /v1/payment_intents' },
    { call: intent },
    { call: 'GET /v1/charges', given: 'succeeded', send: 'expand[0]=data.payment_intent' },
  ],
  rak_payment_intent_write: [
    { call: 'POST /v1/payment_intents', send: 'amount=500&currency=gbp' },
    { call: 'POST /v1/payment_intents/{intent}', send: 'metadata[client]=1' },
    { call: 'POST /v1/payment_intents/{intent}/cancel' },
  ],
  rak_payment_method_read: [{ call: intent, send: 'expand[0]=payment_method' }],
  rak_payout_read: [{ call: 'GET /v1/payouts' }],
  rak_review_read: [{ call: 'GET /v1/reviews' }],
};

/** The id of the rule about a right. */
export const ruleOfRight = (right: StripeRight): string => `right-${right}`;

/** Rules about the rights of restricted keys. Their names are those in recorded refusals. */
export const rightRules: readonly StripeRule[] = stripeRights.map((right) => ({
  id: ruleOfRight(right),
  calls: [everyCall],
  parameter: 'Authorization',
  rule: `A restricted key needs ${right} for ${uses[right].map(({ call, send }) => `${call.replace('{', ':').replace('}', '')}${send?.startsWith('expand') ? ` with ${send}` : ''}`).join(', ')}.`,
  source: pages.restrictedKeys,
  checkedBy: 'rights.ts',
  error: {
    status: 403,
    code: null,
    message: `The provided key '{key}' does not have the required permissions for this endpoint on account '{account}'. Having the '${right}' permission would allow this request to continue.`,
  },
  breaks: uses[right].map((request) => ({ ...request, lacks: right })),
}));
