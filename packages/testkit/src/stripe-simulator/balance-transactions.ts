import type Stripe from 'stripe';
import { isWithin, listPage, matches, type StripePage } from './list-page.ts';
import { resourceMissing } from './stripe-api-error.ts';
import { newId, nowOf, type StripeBalanceTransaction, type StripeState } from './stripe-state.ts';

/** Stripe's record of all money of an account: charges, fees, refunds, disputes and payouts. */
export interface StripeBalanceTransactions {
  all(): StripeBalanceTransaction[];
  find(id: string): StripeBalanceTransaction;
  list(params: Stripe.BalanceTransactionListParams): StripePage<StripeBalanceTransaction>;
  /** The sum of all transactions, in pence: what Stripe owes the account. */
  balance(): number;
  /**
   * Money that the firm keeps at Stripe from before the first transaction, in pence. By default it is enough for every refund,
   * as if the firm did not have its money paid out each day.
   */
  readonly float: { amount: number };
  asBalance(): Stripe.Balance;
}

/** Returns the money that can be refunded or paid out now, in pence. */
export const availableOf = ({ float, balanceTransactions }: StripeState): number =>
  [...balanceTransactions.values()]
    .filter(({ status }) => status === 'available')
    .reduce((sum, { net }) => sum + net, float.amount);

/** What a balance transaction records. */
export interface BalanceEntry {
  type: Stripe.BalanceTransaction.Type;
  reportingCategory: string;
  /** In pence; negative for money that leaves the account. */
  amount: number;
  fee?: number;
  currency: string;
  source: string;
  description?: string | null;
  /** Whether the money can be paid out immediately. */
  isAvailable?: boolean;
}

/** Adds a balance transaction. Money of a charge becomes available at midnight three days later. */
export function addBalanceTransaction(state: StripeState, entry: BalanceEntry): StripeBalanceTransaction {
  const created = nowOf(state);
  const fee = entry.fee ?? 0;
  const available_on = entry.isAvailable ? created : (Math.floor(created / day) + 3) * day;
  const transaction: StripeBalanceTransaction = {
    id: newId('txn'),
    object: 'balance_transaction',
    amount: entry.amount,
    available_on,
    balance_type: 'payments',
    created,
    currency: entry.currency,
    description: entry.description ?? null,
    exchange_rate: null,
    fee,
    fee_details:
      fee === 0
        ? []
        : [
            {
              amount: fee,
              application: null,
              currency: entry.currency,
              description: entry.type === 'adjustment' ? 'Dispute fee' : 'Stripe processing fees',
              type: 'stripe_fee',
            },
          ],
    net: entry.amount - fee,
    reporting_category: entry.reportingCategory,
    source: entry.source,
    get status() {
      return nowOf(state) < available_on ? 'pending' : 'available';
    },
    type: entry.type,
  };
  state.balanceTransactions.set(transaction.id, transaction);
  return transaction;
}

/** Creates the operations on the balance transactions of an account. */
export function createBalanceTransactions(state: StripeState): StripeBalanceTransactions {
  const all = () => [...state.balanceTransactions.values()];
  return {
    all,
    balance: () => all().reduce((sum, { net }) => sum + net, 0),
    float: state.float,
    asBalance: () => {
      const pending = all().filter(({ status }) => status === 'pending');
      return {
        object: 'balance',
        available: [inPounds(availableOf(state))],
        livemode: state.isLive,
        pending: [inPounds(pending.reduce((sum, { net }) => sum + net, 0))],
      };
    },
    find: (id) => {
      const transaction = state.balanceTransactions.get(id);
      if (!transaction) throw resourceMissing('balance_transaction', id);
      return transaction;
    },
    list: (params) => {
      if (params.payout !== undefined && !state.payouts.has(params.payout)) {
        throw resourceMissing('payout', params.payout, 'payout');
      }
      const found = all().filter(
        (transaction) =>
          isWithin(transaction.created, params.created) &&
          matches(params.currency, transaction.currency) &&
          matches(params.type, transaction.type) &&
          matches(params.source, transaction.source) &&
          matches(params.payout, state.payoutOf.get(transaction.id) ?? null),
      );
      return listPage('/v1/balance_transactions', found, params);
    },
  };
}

const inPounds = (amount: number) => ({ amount, currency: 'gbp', source_types: { card: amount } });

/** Stripe's standard fee in pence for a British card: 1.5 % and 20p. */
export const cardFee = (amount: number): number => Math.round(amount * 0.015) + 20;

const day = 86_400;
