import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '../../../platform/clock.ts';
import type { Connection } from '../../../platform/database.ts';
import { findProvider, type ProviderChoice } from '../provider/find-provider.ts';
import { compareWithProvider } from './compare-with-provider.ts';
import type { Difference } from './differences.ts';
import { findDifferencesHere } from './find-differences-here.ts';

export interface CheckDependencies extends ProviderChoice {
  database: Connection;
  clock: Clock;
}

export interface CheckRequest {
  /** Intents and payments that began before are not compared with the provider. */
  since: Date;
  /** Milliseconds until the second look at what differs from the provider: what is under way settles meanwhile. */
  settling: number;
}

export interface CheckReport {
  since: Date;
  /** How many were compared with a provider. */
  payments: number;
  intents: number;
  differences: Difference[];
}

/**
 * Holds the payments against everything else that knows of the money: their own record, the searches, the receipts and
 * the provider. It changes nothing.
 * @throws ProviderUnavailable
 */
export async function checkPayments(
  dependencies: CheckDependencies,
  { since, settling }: CheckRequest,
): Promise<CheckReport> {
  const { database, provider, formerProvider, clock } = dependencies;
  const asked = formerProvider ? [provider, formerProvider] : [provider];
  const compare = () => compareWithProvider(database, asked, since);
  const first = await compare();
  let last = first;
  if (first.differences.length > 0) {
    await pause(settling);
    last = await compare();
  }
  const before = new Set(first.differences.map(keyOf));
  const of = { now: clock(), canAsk: (name: string) => findProvider(dependencies, name) !== null };
  // As of one moment: a payment that is made meanwhile is in all of it, or in none.
  const here = await database.transaction((reading) => findDifferencesHere(reading, of), {
    isolationLevel: 'repeatable read',
    accessMode: 'read only',
  });
  return {
    since,
    payments: last.payments,
    intents: last.intents,
    differences: [...here, ...last.differences.filter((difference) => before.has(keyOf(difference)))],
  };
}

const keyOf = ({ kind, subject, found }: Difference) => `${kind} ${subject} ${found}`;
