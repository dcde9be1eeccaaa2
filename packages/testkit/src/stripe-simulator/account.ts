import type Stripe from 'stripe';

/** Creates the account object of a British firm that accepts cards. */
export const newAccount = (id: string, name: string, created: number): Stripe.Account => ({
  id,
  object: 'account',
  business_profile: {
    mcc: '8111',
    minority_owned_business_designation: null,
    name,
    support_address: null,
    support_email: null,
    support_phone: null,
    support_url: null,
    specified_commercial_transactions_act_url: null,
    url: null,
  },
  business_type: 'company',
  capabilities: { card_payments: 'active', pay_by_bank_payments: 'active', transfers: 'active' },
  charges_enabled: true,
  controller: { type: 'account' },
  country: 'GB',
  created,
  default_currency: 'gbp',
  details_submitted: true,
  email: 'accounts@example.com',
  metadata: {},
  payouts_enabled: true,
  settings: {
    branding: { icon: null, logo: null, primary_color: null, secondary_color: null },
    card_payments: {
      statement_descriptor_prefix: 'KEYTURN',
      statement_descriptor_prefix_kana: null,
      statement_descriptor_prefix_kanji: null,
    },
    dashboard: { display_name: name, timezone: 'Europe/London' },
    payments: {
      statement_descriptor: 'KEYTURN FIRM',
      statement_descriptor_kana: null,
      statement_descriptor_kanji: null,
      statement_descriptor_prefix_kana: null,
      statement_descriptor_prefix_kanji: null,
    },
    payouts: {
      debit_negative_balances: true,
      schedule: { delay_days: 3, interval: 'daily' },
      statement_descriptor: null,
    },
  },
  type: 'standard',
});
