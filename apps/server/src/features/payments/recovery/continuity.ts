import type { AlertOperator } from '../../../platform/alert-operator.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/database.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import { limitAlerts } from '../../../platform/limit-alerts.ts';
import type { ProviderName } from '../../../platform/provider-names.ts';
import { type PaymentProvider, type ProviderChoice, ProviderUnavailable } from '../ports.ts';
import { allProviders, isActive } from '../provider/find-provider.ts';
import {
  type ContinuityState,
  closePayments,
  readContinuity,
  recoveriesIn,
  storeComparison,
} from './continuity-store.ts';
import { listOwnIntents } from './own-intents.ts';
import type { ContinuityWitness } from './ports.ts';

/**
 * Keeps payments closed while the database may lack payments that the provider knows, as it does after a backup is
 * restored: a client would be charged again for what they have paid.
 */
export interface PaymentContinuity {
  /**
   * Checks that payments are accepted; asks the providers first if this server has not done so lately.
   * @param provider the one that has, or will have, the payment's intent: it must have been compared. Without it, any
   *   provider that payments can be started with.
   * @throws DomainError `payments_paused`
   */
  checkOpen(provider?: ProviderName): Promise<void>;
  /**
   * Compares the record with every provider that answers. Run it repeatedly.
   * @returns whether payments are accepted at the providers that answered
   * @throws ProviderUnavailable if one did not answer before all were compared once, or if none of those answered that
   *   payments can be started with
   */
  compare(): Promise<boolean>;
  /** Remembers a payment that was just committed: if it is gone later, the database was restored. */
  remember(paymentId: string): void;
}

export interface ContinuityDependencies extends ProviderChoice {
  database: Database;
  installationId: string;
  clock: Clock;
  alertOperator: AlertOperator;
  witness: ContinuityWitness | null;
}

/** Milliseconds after which a comparison is repeated before the next payment. */
const maxAge = 10 * 60_000;
/** Milliseconds by which clocks may differ. */
export const clockTolerance = 5 * 60_000;
/** Milliseconds that a comparison goes back further than needed. */
const overlap = 60_000;
/** Milliseconds that a comparison goes back if the clock went back, so that the stored moment means nothing. */
const fallbackPeriod = 30 * 24 * 3_600_000;
/** Payments that a server remembers. */
const maxRemembered = 50;

/** Creates the continuity of one server. */
export function createContinuity(dependencies: ContinuityDependencies): PaymentContinuity {
  const { database, clock, alertOperator, witness, installationId } = dependencies;
  const alertOnceAnHour = limitAlerts(alertOperator, clock);
  const remembered: string[] = [];
  /** When each provider was compared. */
  const comparedAt = new Map<ProviderName, number>();
  /** The highest number of rounds seen, and the timeline of the latest comparison; null before the first one. */
  let seen: { rounds: number; timeline: string } | null = null;
  let witnessed: Promise<number | null> | undefined;
  let reading: Promise<ContinuityState> | undefined;
  let comparing: Promise<boolean> | undefined;

  /** Requests at the same moment share one statement. */
  const read = (): Promise<ContinuityState> => {
    reading ??= readContinuity(database, remembered).finally(() => {
      reading = undefined;
    });
    return reading;
  };

  const close = async (reason: string): Promise<false> => {
    await closePayments(database, { at: clock(), reason });
    alertOnceAnHour('closed', pausedMessage, { reason });
    return false;
  };

  /**
   * Compares each account, even if another one does not answer. Before all have been compared once, payments are accepted
   * at none: receipts are numbered over all accounts, and a search that was paid at one could be charged at the other.
   */
  const compareEach = async (state: ContinuityState, now: Date) => {
    const wereAllCompared = seen?.timeline === state.timeline;
    const query = { since: sinceOf(state, now), left: state.leftIntents };
    const answered: ProviderName[] = [];
    const failures: { provider: ProviderName; error: ProviderUnavailable }[] = [];
    for (const provider of allProviders(dependencies)) {
      try {
        const missing = await findMissing(dependencies, provider, query);
        if (missing) return { answered, missing };
        answered.push(provider.name);
      } catch (error) {
        if (!(error instanceof ProviderUnavailable)) throw error;
        failures.push({ provider: provider.name, error });
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
  };

  const compareNow = async (): Promise<boolean> => {
    const startedAt = clock();
    const count = remembered.length;
    const state = await readContinuity(database, remembered.slice(0, count));
    if (state.closedReason !== null) {
      alertOnceAnHour('closed', pausedMessage, { reason: state.closedReason });
      return false;
    }
    witnessed ??= witness?.read(installationId) ?? Promise.resolve(null);
    const highest = Math.max(seen?.rounds ?? 0, (await witnessed) ?? 0);
    if (state.rounds < highest) return close('the database is older than this server has seen it before');
    // What a recovery has not put back was not paid, and is lost for good.
    if (seen !== null && recoveriesIn(state.rounds) > recoveriesIn(seen.rounds)) remembered.splice(0, count);
    else if (state.found < count)
      return close('payments that this server has committed are no longer in the database');
    const { answered, missing } = await compareEach(state, startedAt);
    if (missing) return close(missing);
    const isComplete = answered.length === allProviders(dependencies).length;
    // The next comparison goes back to the last complete one.
    const rounds = await storeComparison(database, isComplete ? startedAt : state.checkedUntil);
    if (rounds === null) return false;
    // After a change of the timeline, earlier comparisons were of another database.
    if (seen && seen.timeline !== state.timeline) comparedAt.clear();
    seen = { rounds, timeline: state.timeline };
    for (const name of answered) comparedAt.set(name, startedAt.getTime());
    await witness?.write(installationId, rounds);
    return true;
  };

  const compare = (): Promise<boolean> => {
    comparing ??= compareNow().finally(() => {
      comparing = undefined;
    });
    return comparing;
  };

  /** When this server compared a provider, or any that payments can be started with; undefined if it has not. */
  const comparedTime = (provider: ProviderName | undefined): number | undefined => {
    const isKnown = allProviders(dependencies).some(({ name }) => name === provider);
    const counts = (name: ProviderName) => (isKnown ? name === provider : isActive(dependencies, name));
    const times = [...comparedAt].flatMap(([name, at]) => (counts(name) ? [at] : []));
    return times.length === 0 ? undefined : Math.max(...times);
  };

  const isFresh = (at: number): boolean => Math.abs(clock().getTime() - at) <= maxAge;

  const needsComparison = (state: ContinuityState, provider: ProviderName | undefined): boolean => {
    const checkedUntil = state.checkedUntil.getTime();
    const at = comparedTime(provider);
    return (
      seen === null ||
      at === undefined ||
      state.rounds < seen.rounds ||
      state.timeline !== seen.timeline ||
      checkedUntil > clock().getTime() + clockTolerance ||
      (!isFresh(checkedUntil) && !isFresh(at))
    );
  };

  return {
    compare,
    remember: (paymentId) => {
      if (remembered.includes(paymentId)) return;
      remembered.push(paymentId);
      if (remembered.length > maxRemembered) remembered.shift();
    },
    checkOpen: async (provider) => {
      const count = remembered.length;
      const state = await read();
      const isOpen =
        state.closedAt === null &&
        state.found >= Math.min(count, remembered.length) &&
        !needsComparison(state, provider);
      if (isOpen) return;
      const isOpenNow = await compare().catch(ignoreUnavailable);
      const at = comparedTime(provider);
      if (!isOpenNow || at === undefined || !isFresh(at))
        throw new DomainError('payments_paused', { retryAfter });
    },
  };
}

/** Seconds. */
const retryAfter = 30;

export const pausedMessage =
  'payments are paused: the database may lack payments that were made. Run "keyturn payments recover"';

const unansweredMessage =
  'an account of the payment provider does not answer: no payments are accepted there until it does';

const notYetComparedMessage =
  'an account of the payment provider does not answer, and may know payments that the database lacks: no payments are accepted until it does. Correct its keys, or remove them if the account is closed';

/** From when the provider's intents are compared. */
export const sinceOf = ({ checkedUntil }: Pick<ContinuityState, 'checkedUntil'>, now: Date): Date =>
  checkedUntil.getTime() > now.getTime() + clockTolerance
    ? new Date(now.getTime() - fallbackPeriod)
    : new Date(Math.min(checkedUntil.getTime(), now.getTime()) - overlap);

/** @returns what the provider has that this database lacks; null if nothing is missing */
async function findMissing(
  { database, installationId }: ContinuityDependencies,
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

/** Without an answer we cannot say that nothing is missing. */
function ignoreUnavailable(error: unknown): false {
  if (error instanceof ProviderUnavailable) return false;
  throw error;
}

/** For commands that put payments back, and for tests of other subjects: payments are never closed. */
export const alwaysOpen: PaymentContinuity = {
  checkOpen: async () => {},
  compare: async () => true,
  remember: () => {},
};
