import type { AlertOperator } from '../../platform/alert-operator.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import { limitAlerts } from '../../platform/limit-alerts.ts';
import type { ProviderName } from '../../platform/provider-names.ts';
import { type PaymentProvider, type ProviderChoice, ProviderUnavailable } from '../ports/provider.ts';
import { allProviders, isActive } from '../provider/find-provider.ts';
import type { ContinuityState } from './continuity-store.ts';
import { listOwnIntents } from './own-intents.ts';

/** Compares the record with every account, and remembers the time of each comparison. */
interface AccountComparison {
  /**
   * Compares each account, even if another one does not answer. Until all have been compared once, no account accepts
   * payments, because receipts are numbered across accounts, and a search that was paid at one account could be
   * charged at the other.
   * @returns the intents of an account that this database lacks, null if none; and the accounts that answered
   * @throws ProviderUnavailable if an account did not answer that payments depend on
   */
  compare(
    state: ContinuityState,
    at: { now: Date; wereAllCompared: boolean },
  ): Promise<{ missing: string | null; answered: ProviderName[] }>;
  /** Remembers that the record and these accounts agreed at a moment, after that was stored. */
  remember(names: readonly ProviderName[], at: Date): void;
  /**
   * Returns when this server compared an account, or any account with which payments can be started; undefined if
   * never.
   */
  comparedTime(provider: ProviderName | undefined): number | undefined;
  /** Whether the accounts that a payment depends on have just failed to answer, so that it is too early to retry. */
  hasJustFailed(provider: ProviderName | undefined, wereAllCompared: boolean): boolean;
}

export interface ComparisonDependencies extends ProviderChoice {
  database: Database;
  installationId: string;
  clock: Clock;
  alertOperator: AlertOperator;
}

/** Milliseconds by which clocks may differ. */
export const clockTolerance = 5 * 60_000;
/** The safety margin, in milliseconds, by which comparisons overlap. */
const overlap = 60_000;
/** The period of a comparison, in milliseconds, if the clock went back, so that the stored moment is meaningless. */
const fallbackPeriod = 30 * 24 * 3_600_000;
/** The time, in milliseconds, before payments retry an account that did not answer. */
const retryPeriod = 10_000;

/** Creates the comparison of one server. */
export function createAccountComparison(dependencies: ComparisonDependencies): AccountComparison {
  const { clock, alertOperator } = dependencies;
  const alertOnceAnHour = limitAlerts(alertOperator, clock);
  const comparedAt = new Map<ProviderName, number>();
  const failedAt = new Map<ProviderName, number>();

  /**
   * Returns the accounts on which a payment at this account depends: itself, or all with which payments can be
   * started.
   */
  const namesFor = (provider: ProviderName | undefined): ProviderName[] => {
    const names = allProviders(dependencies).map(({ name }) => name);
    const isKnown = names.some((name) => name === provider);
    return names.filter((name) => (isKnown ? name === provider : isActive(dependencies, name)));
  };
  const hasFailed = (name: ProviderName): boolean => {
    const at = failedAt.get(name);
    return at !== undefined && Math.abs(clock().getTime() - at) < retryPeriod;
  };

  return {
    compare: async (state, { now, wereAllCompared }) => {
      // Earlier comparisons were of another database.
      if (!wereAllCompared) comparedAt.clear();
      const answered: ProviderName[] = [];
      const failures: { provider: ProviderName; error: ProviderUnavailable }[] = [];
      for (const provider of allProviders(dependencies)) {
        const { name } = provider;
        // While an account never answers, the stored moment does not change, and the others use their own
        // comparisons.
        const checkedUntil = new Date(Math.max(state.checkedUntil.getTime(), comparedAt.get(name) ?? 0));
        const query = { since: sinceOf({ checkedUntil }, now), left: state.leftIntents };
        try {
          const missing = await findMissing(dependencies, provider, query);
          failedAt.delete(name);
          if (missing) return { answered, missing };
          answered.push(name);
        } catch (error) {
          if (!(error instanceof ProviderUnavailable)) throw error;
          failedAt.set(name, clock().getTime());
          failures.push({ provider: name, error });
        }
      }
      for (const { provider } of answered.length === 0 ? [] : failures) {
        const message = wereAllCompared ? unansweredMessage : notYetComparedMessage;
        alertOnceAnHour(`${provider}: ${message}`, message, { provider });
      }
      const [failure] = failures;
      const isEnough = wereAllCompared && answered.some((name) => isActive(dependencies, name));
      if (failure && !isEnough) throw failure.error;
      return { answered, missing: null };
    },
    remember: (names, at) => {
      for (const name of names) comparedAt.set(name, at.getTime());
    },
    comparedTime: (provider) => {
      const times = namesFor(provider).flatMap((name) => comparedAt.get(name) ?? []);
      return times.length === 0 ? undefined : Math.max(...times);
    },
    hasJustFailed: (provider, wereAllCompared) =>
      wereAllCompared
        ? namesFor(provider).every(hasFailed)
        : allProviders(dependencies).some(({ name }) => hasFailed(name)),
  };
}

const unansweredMessage =
  'an account of the payment provider does not answer: no payments are accepted there until it does';

const notYetComparedMessage =
  'an account of the payment provider does not answer, and may know payments that the database lacks: no payments are accepted until it does. Correct its keys, or remove them if the account is closed';

/** The time from which the provider's intents are compared. */
export const sinceOf = ({ checkedUntil }: Pick<ContinuityState, 'checkedUntil'>, now: Date): Date =>
  checkedUntil.getTime() > now.getTime() + clockTolerance
    ? new Date(now.getTime() - fallbackPeriod)
    : new Date(Math.min(checkedUntil.getTime(), now.getTime()) - overlap);

/** @returns a description of the intents that this database lacks; null if none */
async function findMissing(
  { database, installationId }: ComparisonDependencies,
  provider: PaymentProvider,
  { since, left }: { since: Date; left: readonly string[] },
): Promise<string | null> {
  const missing = (await listOwnIntents(database, provider, { since, installationId })).filter(
    ({ intentId, isRecorded, status }) => !isRecorded && status !== 'cancelled' && !left.includes(intentId),
  );
  const [first] = missing;
  if (!first) return null;
  return `${provider.name} has ${missing.length === 1 ? 'an intent' : `${missing.length} intents`} of this installation without a payment here, such as ${first.intentId}`;
}
