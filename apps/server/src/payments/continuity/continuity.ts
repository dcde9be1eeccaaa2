import { DomainError } from '../../platform/domain-error.ts';
import { limitAlerts } from '../../platform/limit-alerts.ts';
import type { ProviderName } from '../../platform/provider-names.ts';
import type { HighWaterMark } from '../ports/high-water-mark.ts';
import { ProviderUnavailable } from '../ports/provider.ts';
import { allProviders } from '../provider/find-provider.ts';
import { type ComparisonDependencies, clockTolerance, createAccountComparison } from './compare-accounts.ts';
import {
  type ContinuityState,
  pausePayments,
  readContinuity,
  recoveriesIn,
  storeComparison,
} from './continuity-store.ts';

/**
 * Pauses payments while the database may lack payments that the provider has, for example after a restore, so that
 * clients are not charged twice.
 */
export interface PaymentContinuity {
  /**
   * Checks that payments are not paused. First compares the providers, unless this server has done so recently.
   * @param provider the provider that has, or will have, the payment's intent, which must have been compared; by
   *   default any provider with which payments can be started
   * @throws DomainError `payments_paused`
   */
  checkOpen(provider?: ProviderName): Promise<void>;
  /**
   * Compares the payments in the database with every provider that answers. Must be called periodically.
   * @returns whether payments are accepted at the providers that answered
   * @throws ProviderUnavailable if a provider did not answer and this server has not compared all of them yet, or if no
   *   provider with which payments can be started answered
   */
  compare(): Promise<boolean>;
  /** Remembers a payment that was just committed: if the database lacks it later, it was restored. */
  remember(paymentId: string): void;
}

export interface ContinuityDependencies extends ComparisonDependencies {
  highWaterMark: HighWaterMark | null;
}

/** Milliseconds after which a comparison is repeated before the next payment. */
const maxAge = 10 * 60_000;
/** The maximum number of payments that a server remembers. */
const maxRemembered = 50;

/** Creates the continuity of one server. */
export function createContinuity(dependencies: ContinuityDependencies): PaymentContinuity {
  const { database, clock, alertOperator, highWaterMark, installationId } = dependencies;
  const alertOnceAnHour = limitAlerts(alertOperator, clock);
  const remembered: string[] = [];
  const accounts = createAccountComparison(dependencies);
  /** The highest number of rounds seen, and the timeline of the latest comparison; null before the first one. */
  let seen: { rounds: number; timeline: string } | null = null;
  let storedMark: Promise<number | null> | undefined;
  let reading: Promise<ContinuityState> | undefined;
  let comparing: Promise<boolean> | undefined;

  /** Concurrent requests share one statement. */
  const read = (): Promise<ContinuityState> => {
    reading ??= readContinuity(database, remembered).finally(() => {
      reading = undefined;
    });
    return reading;
  };

  const pause = async (reason: string): Promise<false> => {
    await pausePayments(database, { at: clock(), reason });
    alertOnceAnHour('paused', pausedMessage, { reason });
    return false;
  };

  /** Comparisons by this process, of this database. */
  const wereAllCompared = ({ timeline }: ContinuityState): boolean => seen?.timeline === timeline;

  const compareNow = async (): Promise<boolean> => {
    const startedAt = clock();
    const count = remembered.length;
    const state = await readContinuity(database, remembered.slice(0, count));
    if (state.pausedReason !== null) {
      alertOnceAnHour('paused', pausedMessage, { reason: state.pausedReason });
      return false;
    }
    storedMark ??= highWaterMark?.read(installationId) ?? Promise.resolve(null);
    const highest = Math.max(seen?.rounds ?? 0, (await storedMark) ?? 0);
    if (state.rounds < highest) return pause('the database is older than when this server last checked it');
    // Payments that a recovery has not restored were not paid, and are permanently lost.
    if (seen !== null && recoveriesIn(state.rounds) > recoveriesIn(seen.rounds)) remembered.splice(0, count);
    else if (state.found < count)
      return pause('payments that this server has committed are no longer in the database');
    const at = { now: startedAt, wereAllCompared: wereAllCompared(state) };
    const { answered, missing } = await accounts.compare(state, at);
    if (missing) return pause(missing);
    const isComplete = answered.length === allProviders(dependencies).length;
    // The next comparison starts at the last complete one.
    const rounds = await storeComparison(database, isComplete ? startedAt : state.checkedUntil);
    if (rounds === null) return false;
    seen = { rounds, timeline: state.timeline };
    accounts.remember(answered, startedAt);
    await highWaterMark?.write(installationId, rounds);
    return true;
  };

  const compare = (): Promise<boolean> => {
    comparing ??= compareNow().finally(() => {
      comparing = undefined;
    });
    return comparing;
  };

  const isFresh = (at: number): boolean => Math.abs(clock().getTime() - at) <= maxAge;

  const needsComparison = (state: ContinuityState, provider: ProviderName | undefined): boolean => {
    const checkedUntil = state.checkedUntil.getTime();
    const at = accounts.comparedTime(provider);
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
      const isAccepting =
        state.pausedAt === null &&
        state.found >= Math.min(count, remembered.length) &&
        !needsComparison(state, provider);
      if (isAccepting) return;
      const isAcceptingNow =
        !accounts.hasJustFailed(provider, wereAllCompared(state)) &&
        (await compare().catch(ignoreUnavailable));
      const at = accounts.comparedTime(provider);
      if (!isAcceptingNow || at === undefined || !isFresh(at))
        throw new DomainError('payments_paused', { retryAfter });
    },
  };
}

/** Seconds. */
const retryAfter = 30;

export const pausedMessage =
  'payments are paused: the database may lack payments that were made. Run "keyturn payments recover"';

/** Without an answer from the provider, payments may be missing. */
function ignoreUnavailable(error: unknown): false {
  if (error instanceof ProviderUnavailable) return false;
  throw error;
}

/** For commands that recover payments, and for unrelated tests: payments are never paused. */
export const neverPaused: PaymentContinuity = {
  checkOpen: async () => {},
  compare: async () => true,
  remember: () => {},
};

/** Whether a call was refused because payments are paused after a restore. */
export const isPaused = (error: unknown): boolean =>
  error instanceof DomainError && error.code === 'payments_paused';
