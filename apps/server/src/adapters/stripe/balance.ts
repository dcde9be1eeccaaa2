import { londonDay } from '@keyturn/format/london-time';
import type Stripe from 'stripe';
import type { BalanceTransaction, ProviderBalance, ProviderPayout } from '../../payments/ports/balance.ts';
import { toProviderError } from './to-provider-error.ts';

/** Reads Stripe's balance, balance transactions and payouts. A restricted key needs to read all of them. */
export function createStripeBalance(stripe: Stripe): ProviderBalance {
  return {
    listBalanceTransactions: (query) =>
      withProviderErrors(async () => {
        const listed: BalanceTransaction[] = [];
        const pages = stripe.balanceTransactions.list({
          ...('payoutId' in query ? { payout: query.payoutId } : createdSince(query.since)),
          limit: 100,
          // The charge, refund or dispute names the intent.
          expand: ['data.source'],
        });
        for await (const transaction of pages) {
          const isPayoutItself = 'payoutId' in query && kindOf(transaction) === 'payout';
          if (!isPayoutItself) listed.push(toBalanceTransaction(transaction));
        }
        return listed;
      }),
    listPayouts: (since) =>
      withProviderErrors(async () => {
        const listed: ProviderPayout[] = [];
        for await (const payout of stripe.payouts.list({ ...createdSince(since), limit: 100 })) {
          listed.push(toPayout(payout));
        }
        return listed;
      }),
    readAvailable: () =>
      withProviderErrors(async () => {
        const { available } = await stripe.balance.retrieve();
        return available.find(({ currency }) => currency === 'gbp')?.amount ?? 0;
      }),
  };
}

async function withProviderErrors<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw toProviderError(error);
  }
}

const createdSince = (since: Date) => ({ created: { gte: Math.floor(since.getTime() / 1000) } });

const toBalanceTransaction = (transaction: Stripe.BalanceTransaction): BalanceTransaction => ({
  transactionId: transaction.id,
  kind: kindOf(transaction),
  amount: transaction.amount,
  fee: transaction.fee,
  currency: transaction.currency,
  intentId: intentOf(transaction),
  refundId: refundOf(transaction),
  createdAt: new Date(transaction.created * 1000),
  availableOn: londonDay(new Date(transaction.available_on * 1000)),
});

/** By `reporting_category`, Stripe's own grouping for accounts: https://docs.stripe.com/reports/reporting-categories */
const kinds: Partial<Record<string, BalanceTransaction['kind']>> = {
  charge: 'charge',
  refund: 'refund',
  partial_capture_reversal: 'refund',
  refund_failure: 'refund_failure',
  charge_failure: 'refund',
  dispute: 'dispute',
  dispute_reversal: 'dispute_reversal',
  fee: 'fee',
  network_cost: 'fee',
  tax: 'fee',
  payout: 'payout',
  payout_reversal: 'payout_failure',
};

const kindOf = ({ reporting_category }: Stripe.BalanceTransaction) => kinds[reporting_category] ?? 'other';

function intentOf({ source }: Stripe.BalanceTransaction): string | null {
  if (source === null || typeof source === 'string' || !('payment_intent' in source)) return null;
  const intent = source.payment_intent;
  return typeof intent === 'string' ? intent : (intent?.id ?? null);
}

function refundOf({ source }: Stripe.BalanceTransaction): string | null {
  return source !== null && typeof source !== 'string' && source.object === 'refund' ? source.id : null;
}

const payoutStatuses: Partial<Record<string, ProviderPayout['status']>> = {
  pending: 'pending',
  in_transit: 'in_transit',
  paid: 'paid',
  failed: 'failed',
  canceled: 'cancelled',
};

const toPayout = (payout: Stripe.Payout): ProviderPayout => ({
  payoutId: payout.id,
  amount: payout.amount,
  currency: payout.currency,
  status: payoutStatuses[payout.status] ?? 'pending',
  arrivesOn: londonDay(new Date(payout.arrival_date * 1000)),
  createdAt: new Date(payout.created * 1000),
  // Stripe lists the contents of automatic payouts only.
  isItemised: payout.automatic,
});
