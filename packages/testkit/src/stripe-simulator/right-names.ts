/**
 * The rights of a restricted key, as Stripe's refusals name them. The names for reviews, early fraud warnings and events are
 * unverified.
 */
export const stripeRights = [
  'rak_accounts_kyc_basic_read',
  'rak_balance_read',
  'rak_balance_transaction_source_read',
  'rak_charge_read',
  'rak_charge_write',
  'rak_dispute_read',
  'rak_dispute_write',
  'rak_early_fraud_warning_read',
  'rak_event_read',
  'rak_payment_intent_read',
  'rak_payment_intent_write',
  'rak_payment_method_read',
  'rak_payout_read',
  'rak_review_read',
] as const;

export type StripeRight = (typeof stripeRights)[number];
