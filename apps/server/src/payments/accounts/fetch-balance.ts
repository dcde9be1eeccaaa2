import { londonDay } from '@keyturn/format/london-time';
import type { AlertOperator } from '../../platform/alert-operator.ts';
import { recordAudit } from '../../platform/audit/record-audit.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import type { JobHandler } from '../../platform/jobs.ts';
import { runTransaction } from '../../platform/run-transaction.ts';
import { type PaymentProvider, type ProviderChoice, ProviderUnavailable } from '../ports/provider.ts';
import { allProviders, forEachProvider, isSameAccount } from '../provider/find-provider.ts';
import {
  findBalanceFetches,
  findBalanceStart,
  findMatchesToWithdraw,
  findPayoutsToItemise,
  itemisePayout,
  recordBalanceFetch,
  storeBalanceTransactions,
  storePayouts,
} from './balance-store.ts';
import { storeTransfers } from './read-ledger.ts';

export interface BalanceDependencies extends ProviderChoice {
  database: Database;
  clock: Clock;
}

const dayLength = 24 * 3_600_000;
/** Milliseconds before the newest movement that are fetched again, in case the provider added one late. */
const overlap = 2 * dayLength;
/** Milliseconds in which a payout may still fail or change its day. */
const payoutSettling = 35 * dayLength;

/**
 * Copies new movements and payouts of each provider's balance, with the movements in each payout. Idempotent; the
 * next run completes an interrupted one.
 * @throws ProviderUnavailable
 */
export async function fetchBalance(dependencies: BalanceDependencies): Promise<void> {
  const fetched: PaymentProvider[] = [];
  await forEachProvider(dependencies, async ({ provider, ...others }) => {
    // The movements of an account whose keys are set twice are counted once.
    if (fetched.some((other) => isSameAccount(other, provider))) return;
    fetched.push(provider);
    await fetchBalanceOf(provider, others);
  });
}

async function fetchBalanceOf(
  provider: PaymentProvider,
  { database, clock }: Pick<BalanceDependencies, 'database' | 'clock'>,
): Promise<void> {
  const startedAt = clock();
  const { newestMovement, oldestPayment } = await findBalanceStart(database, provider.name);
  // Before the first payment, no movement belongs to this installation.
  if (!oldestPayment) return;
  const since = newestMovement ? new Date(newestMovement.getTime() - overlap) : oldestPayment;
  const transactions = await provider.listBalanceTransactions({ since });
  const payoutsSince = newestMovement ? new Date(startedAt.getTime() - payoutSettling) : oldestPayment;
  const payouts = await provider.listPayouts(payoutsSince);
  await runTransaction(database, async (transaction) => {
    await storeBalanceTransactions(transaction, provider.name, transactions, startedAt);
    for (const { payoutId, matchedOn } of await findMatchesToWithdraw(transaction, provider.name, payouts)) {
      await recordAudit(transaction, {
        occurredAt: startedAt,
        actor: { kind: 'system', id: null, name: 'Keyturn' },
        action: 'payment.payout_matched',
        subject: { kind: 'installation', id: null },
        before: { on: matchedOn },
        after: { payout: payoutId, on: null },
      });
    }
    await storePayouts(transaction, provider.name, payouts);
  });
  for (const payoutId of await findPayoutsToItemise(database, provider.name)) {
    const contained = await provider.listBalanceTransactions({ payoutId });
    await runTransaction(database, async (transaction) => {
      await storeBalanceTransactions(transaction, provider.name, contained, startedAt);
      await itemisePayout(transaction, {
        provider: provider.name,
        payoutId,
        transactionIds: contained.map(({ transactionId }) => transactionId),
        at: startedAt,
      });
    });
  }
  await runTransaction(database, (transaction) => storeTransfers(transaction, londonDay(startedAt)));
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
    const { database, clock, alertOperator } = dependencies;
    try {
      await fetchBalance(dependencies);
    } catch (error) {
      const fetches = await findBalanceFetches(database);
      for (const { name } of allProviders(dependencies)) {
        const fetchedAt = fetches.get(name);
        const { oldestPayment } = await findBalanceStart(database, name);
        if (!oldestPayment || (fetchedAt && clock().getTime() - fetchedAt.getTime() <= maxFetchAge)) continue;
        alertOperator('the balance at the payment provider could not be fetched for a day', {
          provider: name,
          fetchedAt: fetchedAt?.toISOString() ?? 'never',
        });
      }
      // The next run fetches the missing data.
      if (!(error instanceof ProviderUnavailable)) throw error;
    }
  },
});
