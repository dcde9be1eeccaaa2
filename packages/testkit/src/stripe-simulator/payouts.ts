import type Stripe from 'stripe';
import { addBalanceTransaction } from './balance-transactions.ts';
import { isWithin, listPage, matches, type StripePage } from './list-page.ts';
import { resourceMissing } from './stripe-api-error.ts';
import { newId, nowOf, type StripeState } from './stripe-state.ts';

/** The payouts of an account to its bank account. */
export interface StripePayouts {
  all(): Stripe.Payout[];
  find(id: string): Stripe.Payout;
  list(params: Stripe.PayoutListParams): StripePage<Stripe.Payout>;
  /** Pays out everything that is available, as Stripe does each day. @returns null if nothing is due */
  create(): Stripe.Payout | null;
  /** The money arrives at the bank. */
  arrive(id: string): Stripe.Payout;
  /** The bank returns the money. */
  fail(id: string, code?: string): Stripe.Payout;
}

/** Creates the operations on the payouts of an account. */
export function createPayouts(state: StripeState): StripePayouts {
  const all = () => [...state.payouts.values()];
  const find = (id: string) => {
    const payout = state.payouts.get(id);
    if (!payout) throw resourceMissing('payout', id);
    return payout;
  };
  return {
    all,
    find,
    list: (params) => {
      const found = all().filter(
        (payout) =>
          isWithin(payout.created, params.created) &&
          isWithin(payout.arrival_date, params.arrival_date) &&
          matches(params.status, payout.status) &&
          params.destination === undefined,
      );
      return listPage('/v1/payouts', found, params);
    },
    create: () => createPayout(state),
    arrive: (id) => {
      const payout = find(id);
      payout.status = 'paid';
      payout.reconciliation_status = 'completed';
      state.emit('payout.paid', payout);
      state.emit('payout.reconciliation_completed', payout);
      return payout;
    },
    fail: (id, code = 'account_closed') => failPayout(state, find(id), code),
  };
}

/** @returns null if the available balance is not positive */
function createPayout(state: StripeState): Stripe.Payout | null {
  const due = [...state.balanceTransactions.values()].filter(
    ({ id, status }) => status === 'available' && !state.payoutOf.has(id),
  );
  const amount = due.reduce((sum, { net }) => sum + net, 0);
  if (amount <= 0) return null;
  const payout = newPayout(state, amount, due[0]?.currency ?? 'gbp');
  const transaction = addBalanceTransaction(state, {
    type: 'payout',
    reportingCategory: 'payout',
    amount: -amount,
    currency: payout.currency,
    source: payout.id,
    isAvailable: true,
    description: payout.description,
  });
  payout.balance_transaction = transaction.id;
  for (const { id } of [...due, transaction]) state.payoutOf.set(id, payout.id);
  state.payouts.set(payout.id, payout);
  state.emit('payout.created', payout);
  return payout;
}

const newPayout = (state: StripeState, amount: number, currency: string): Stripe.Payout => ({
  id: newId('po'),
  object: 'payout',
  amount,
  application_fee: null,
  application_fee_amount: null,
  arrival_date: (Math.floor(nowOf(state) / day) + 1) * day,
  automatic: true,
  balance_transaction: null,
  created: nowOf(state),
  currency,
  description: 'STRIPE PAYOUT',
  destination: 'ba_simulated',
  failure_balance_transaction: null,
  failure_code: null,
  failure_message: null,
  livemode: state.isLive,
  metadata: {},
  method: 'standard',
  original_payout: null,
  payout_method: null,
  reconciliation_status: 'in_progress',
  reversed_by: null,
  source_type: 'card',
  statement_descriptor: null,
  status: 'in_transit',
  trace_id: null,
  type: 'bank_account',
});

function failPayout(state: StripeState, payout: Stripe.Payout, code: string): Stripe.Payout {
  payout.status = 'failed';
  payout.failure_code = code;
  payout.failure_message = 'The bank account has been closed.';
  payout.failure_balance_transaction = addBalanceTransaction(state, {
    type: 'payout_failure',
    reportingCategory: 'payout_reversal',
    amount: payout.amount,
    currency: payout.currency,
    source: payout.id,
    isAvailable: true,
    description: 'Failed payout',
  }).id;
  state.emit('payout.failed', payout);
  return payout;
}

const day = 86_400;
