import type Stripe from 'stripe';
import { addBalanceTransaction, cardFee } from './balance-transactions.ts';
import { isWithin, listPage, matches, type StripePage } from './list-page.ts';
import { detailsOfCharge } from './payment-methods.ts';
import { resourceMissing } from './stripe-api-error.ts';
import { newId, nowOf, type StripeCharge, type StripeIntent, type StripeState } from './stripe-state.ts';

/** The charges of an account, successful and failed. */
export interface StripeCharges {
  all(): StripeCharge[];
  find(id: string): StripeCharge;
  list(params: Stripe.ChargeListParams): StripePage<StripeCharge>;
}

/** Creates the operations on the charges of an account. */
export function createCharges(state: StripeState): StripeCharges {
  const all = () => [...state.charges.values()];
  return {
    all,
    find: (id) => findCharge(state, id),
    list: (params) => {
      const found = all().filter(
        (charge) =>
          isWithin(charge.created, params.created) &&
          matches(params.payment_intent, charge.payment_intent) &&
          params.customer === undefined,
      );
      return listPage('/v1/charges', found, params);
    },
  };
}

/** @throws StripeApiError for a charge that the account does not have */
export function findCharge({ charges }: StripeState, id: string, param = 'id'): StripeCharge {
  const charge = charges.get(id);
  if (!charge) throw resourceMissing('charge', id, param);
  return charge;
}

/** Charges the payment method of an intent, and records the money. */
export function addSuccessfulCharge(state: StripeState, intent: StripeIntent): StripeCharge {
  const charge = newCharge(state, intent, intent.payment_method);
  const transaction = addBalanceTransaction(state, {
    type: 'charge',
    reportingCategory: 'charge',
    amount: intent.amount,
    fee: cardFee(intent.amount),
    currency: intent.currency,
    source: charge.id,
    description: intent.description,
  });
  Object.assign(charge, {
    amount_captured: charge.amount,
    balance_transaction: transaction.id,
    captured: true,
    outcome: authorised,
    paid: true,
    receipt_url: `https://pay.stripe.com/receipts/${charge.id}`,
    status: 'succeeded',
  } satisfies Partial<StripeCharge>);
  state.emit('charge.succeeded', charge);
  return charge;
}

/** Records that the bank declined a charge. */
export function addFailedCharge(
  state: StripeState,
  intent: StripeIntent,
  decline: { code: string; declineCode?: string; message: string },
): StripeCharge {
  const charge = newCharge(state, intent, intent.payment_method);
  Object.assign(charge, {
    failure_code: decline.code,
    failure_message: decline.message,
    outcome: {
      advice_code: 'try_again_later',
      network_advice_code: null,
      network_decline_code: null,
      network_status: 'declined_by_network',
      reason: decline.declineCode ?? decline.code,
      risk_level: 'normal',
      risk_score: 20,
      seller_message: 'The bank did not return any further details with this decline.',
      type: 'issuer_declined',
    },
    status: 'failed',
  } satisfies Partial<StripeCharge>);
  state.emit('charge.failed', charge);
  return charge;
}

function newCharge(state: StripeState, intent: StripeIntent, methodId: string | null): StripeCharge {
  const method = methodId === null ? undefined : state.paymentMethods.get(methodId);
  const charge: StripeCharge = {
    id: newId('ch'),
    object: 'charge',
    amount: intent.amount,
    amount_captured: 0,
    amount_refunded: 0,
    application: null,
    application_fee: null,
    application_fee_amount: null,
    balance_transaction: null,
    billing_details: {
      address: { city: null, country: null, line1: null, line2: null, postal_code: null, state: null },
      email: null,
      name: null,
      phone: null,
      tax_id: null,
    },
    calculated_statement_descriptor: statementOf(state, intent),
    captured: false,
    created: nowOf(state),
    currency: intent.currency,
    customer: null,
    description: intent.description,
    disputed: false,
    failure_balance_transaction: null,
    failure_code: null,
    failure_message: null,
    fraud_details: {},
    livemode: state.isLive,
    metadata: { ...intent.metadata },
    on_behalf_of: null,
    outcome: null,
    paid: false,
    payment_intent: intent.id,
    payment_method: methodId,
    payment_method_details: method ? detailsOfCharge(method, intent.amount) : null,
    radar_options: {},
    receipt_email: intent.receipt_email,
    receipt_number: null,
    receipt_url: null,
    refunded: false,
    review: null,
    shipping: null,
    source: null,
    source_transfer: null,
    statement_descriptor: intent.statement_descriptor,
    statement_descriptor_suffix: intent.statement_descriptor_suffix,
    status: 'pending',
    transfer_data: null,
    transfer_group: null,
  };
  state.charges.set(charge.id, charge);
  return charge;
}

/** The account's shortened name, or the start of its full one, with the suffix of the intent. */
function statementOf(
  { account: { settings } }: StripeState,
  { statement_descriptor_suffix: suffix }: StripeIntent,
): string | null {
  const full = settings?.payments.statement_descriptor ?? null;
  if (suffix === null) return full;
  const prefix = settings?.card_payments.statement_descriptor_prefix ?? full?.slice(0, 10);
  return `${prefix}* ${suffix}`.slice(0, 22);
}

const authorised: Stripe.Charge.Outcome = {
  advice_code: null,
  network_advice_code: null,
  network_decline_code: null,
  network_status: 'approved_by_network',
  reason: null,
  risk_level: 'normal',
  risk_score: 20,
  seller_message: 'Payment complete.',
  type: 'authorized',
};
