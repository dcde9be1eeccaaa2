import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '../../platform/clock.ts';
import type { Connection } from '../../platform/database.ts';
import { runTransaction } from '../../platform/run-transaction.ts';
import type { ProviderChoice } from '../ports/provider.ts';
import { allProviders, findProvider } from '../provider/find-provider.ts';
import type { Discrepancy } from '../records/discrepancies.ts';
import { compareWithProviders } from './compare-with-providers.ts';
import { findLocalDiscrepancies } from './find-local-discrepancies.ts';

export interface CheckDependencies extends ProviderChoice {
  database: Connection;
  installationId: string;
  clock: Clock;
}

export interface CheckRequest {
  /** Only intents and payments created since this time are compared with the provider. */
  since: Date;
  /** Milliseconds before discrepancies with the provider are checked a second time, so that payments under way settle. */
  recheckDelay: number;
}

export interface CheckReport {
  since: Date;
  /** The number of payments compared with a provider. */
  payments: number;
  /** The number of intents compared with payments. */
  intents: number;
  discrepancies: Discrepancy[];
}

/**
 * Reconciles payments with the ledger, searches, receipts and the provider. Changes nothing.
 * @throws ProviderUnavailable
 */
export async function checkPayments(
  dependencies: CheckDependencies,
  { since, recheckDelay }: CheckRequest,
): Promise<CheckReport> {
  const { database, installationId, clock } = dependencies;
  const providers = allProviders(dependencies);
  const compare = () => compareWithProviders(database, providers, { since, installationId });
  const first = await compare();
  let last = first;
  if (first.discrepancies.length > 0) {
    await pause(recheckDelay);
    last = await compare();
  }
  const foundBefore = new Set(first.discrepancies.map(keyOf));
  const canCall = (name: string) => findProvider(dependencies, name) !== null;
  // One snapshot, so that a payment made during the check appears in all tables or in none.
  const local = await runTransaction(
    database,
    (transaction) => findLocalDiscrepancies(transaction, { now: clock(), canCall }),
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  );
  return {
    since,
    payments: last.payments,
    intents: last.intents,
    discrepancies: [
      ...local,
      ...last.discrepancies.filter((discrepancy) => foundBefore.has(keyOf(discrepancy))),
    ],
  };
}

const keyOf = ({ kind, subject, found }: Discrepancy) => `${kind} ${subject} ${found}`;
