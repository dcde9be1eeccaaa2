import type { AlertOperator } from '../../../platform/alert-operator.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/database.ts';
import type { JobHandler } from '../../../platform/jobs.ts';
import { type PaymentProvider, ProviderUnavailable } from '../ports.ts';
import {
  findBalanceFetches,
  findBalanceStart,
  findPayoutsToItemise,
  itemisePayout,
  recordBalanceFetch,
  storeBalanceTransactions,
  storePayouts,
} from './balance-store.ts';

export interface BalanceDependencies {
  database: Database;
  provider: PaymentProvider;
  formerProvider: PaymentProvider | null;
  clock: Clock;
}

const dayLength = 24 * 3_600_000;
/** Milliseconds before the newest movement that are fetched again, in case the provider added one late. */
const overlap = 2 * dayLength;
/** Milliseconds in which a payout may still fail or change its day. */
const payoutSettling = 35 * dayLength;

/**
 * Copies what is new in the balance of each provider: movements, payouts, and which movements each payout contains.
 * Idempotent; an interrupted run is made up for by the next one.
 * @throws ProviderUnavailable
 */
export async function fetchBalance(dependencies: BalanceDependencies): Promise<void> {
  const { provider, formerProvider } = dependencies;
  for (const current of formerProvider ? [provider, formerProvider] : [provider]) {
    await fetchBalanceOf(current, dependencies);
  }
}

async function fetchBalanceOf(
  provider: PaymentProvider,
  { database, clock }: BalanceDependencies,
): Promise<void> {
  const startedAt = clock();
  const { newestMovement, oldestPayment } = await findBalanceStart(database, provider.name);
  // Before the first payment there is nothing of ours.
  if (!oldestPayment) return;
  const since = newestMovement ? new Date(newestMovement.getTime() - overlap) : oldestPayment;
  const transactions = await provider.listBalanceTransactions({ since });
  const payoutsSince = newestMovement ? new Date(startedAt.getTime() - payoutSettling) : oldestPayment;
  const payouts = await provider.listPayouts(payoutsSince);
  await database.transaction(async (transaction) => {
    await storeBalanceTransactions(transaction, provider.name, transactions, startedAt);
    await storePayouts(transaction, provider.name, payouts);
  });
  for (const payoutId of await findPayoutsToItemise(database, provider.name)) {
    const contained = await provider.listBalanceTransactions({ payoutId });
    await database.transaction(async (transaction) => {
      await storeBalanceTransactions(transaction, provider.name, contained, startedAt);
      await itemisePayout(transaction, {
        provider: provider.name,
        payoutId,
        transactionIds: contained.map(({ transactionId }) => transactionId),
        at: startedAt,
      });
    });
  }
  await recordBalanceFetch(database, provider.name, startedAt);
}

/** Milliseconds after which a balance that could not be fetched raises an alert. */
const maxFetchAge = dayLength;

/** Fetches the balance every hour, before payments are reconciled; alerts if that has failed for a day. */
export const fetchBalanceHandler = (
  dependencies: BalanceDependencies & { alertOperator: AlertOperator },
): JobHandler => ({
  name: 'fetch-balance',
  schedule: '2 * * * *',
  work: async () => {
    const { database, provider, clock, alertOperator } = dependencies;
    try {
      await fetchBalance(dependencies);
    } catch (error) {
      const fetchedAt = (await findBalanceFetches(database)).get(provider.name);
      if (!fetchedAt || clock().getTime() - fetchedAt.getTime() > maxFetchAge) {
        alertOperator('the balance at the payment provider could not be fetched for a day', {
          provider: provider.name,
          fetchedAt: fetchedAt?.toISOString() ?? 'never',
        });
      }
      // The next run makes up for it.
      if (!(error instanceof ProviderUnavailable)) throw error;
    }
  },
});
