import type { AlertOperator } from '../../platform/alert-operator.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Connection, Transaction } from '../../platform/database.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { limitAlerts } from '../../platform/limit-alerts.ts';
import type { PaymentRow } from '../records/rows.ts';
import {
  type AttemptKind,
  type AttemptSubjects,
  type AttemptWindows,
  acquireLocks,
  assignEventToDecline,
  deleteAttempts,
  deleteIdempotencyKeys,
  findThrottledSubjects,
  hasOpenDecline,
  insertAttempt,
  locksOf,
  subjectsOf,
  type ThrottledSubject,
} from './attempts-store.ts';
import { queueCancelAfterDeclines } from './cancel-after-declines-job.ts';

/**
 * Throttles card testing. Started payments and declined cards are counted per client and per address, in the database,
 * for all servers together. A client or address above a limit can neither start nor continue a payment until enough
 * attempts are too old to count, and its open payments are cancelled at the provider.
 */
export interface PaymentAttempts {
  /**
   * Checks that the payer has not had too many declined cards.
   * @throws DomainError `too_many_payment_attempts`
   */
  checkDeclines(transaction: Transaction, payer: Payer): Promise<void>;
  /**
   * Names the advisory locks for starting a payment. Acquire them before reading the payer's attempts, and hold them
   * until the start is counted: concurrent requests of the same payer then wait for each other.
   */
  locksOf(payer: Payer): string[];
  /**
   * Returns the subjects and time windows of the payer's attempts, to read throttled subjects together with other
   * facts.
   */
  windowsOf(payer: Payer): AttemptWindows;
  /**
   * Checks that the payer has not had too many attempts of a kind.
   * @param throttled the payer's throttled subjects
   * @throws DomainError `too_many_payment_attempts`
   */
  check(kind: AttemptKind, payer: Payer, throttled: readonly ThrottledSubject[]): void;
  /**
   * @param eventId the provider's event that reported the decline, counted once; null if a call to the provider found
   *   it
   */
  countDecline(transaction: Transaction, payment: PaymentRow, eventId: string | null): Promise<void>;
  /** Deletes attempts that are too old to count. */
  deleteExpired(connection: Connection): Promise<void>;
}

export interface Payer {
  clientId: string;
  /** The address of the request; undefined outside a request. */
  address: string | undefined;
}

/** The highest number of payments started in an hour, and of cards declined in 24 hours. */
export type AttemptLimits = Record<'starts' | 'declines', { client: number; address: number }>;

/** Milliseconds for which a repeated `Idempotency-Key` finds its payment: longer than any browser retries. */
const keyLifetime = 30 * 86_400_000;

/** Milliseconds. */
const windows: Record<AttemptKind, number> = { start: 3_600_000, decline: 86_400_000 };

export function createPaymentAttempts({ limits, clock, alertOperator }: AttemptOptions): PaymentAttempts {
  const alertOnceAnHour = limitAlerts(alertOperator, clock);
  const throttle = createThrottle({ limits, clock, alertOnceAnHour });
  return {
    checkDeclines: async (transaction, payer) => {
      const throttled = await findThrottledSubjects(transaction, throttle.windowsOf(payer));
      throttle.check('decline', payer, throttled);
    },

    locksOf: ({ clientId, address }) => locksOf(subjectsOf(clientId, address)),
    windowsOf: throttle.windowsOf,
    check: throttle.check,

    countDecline: async (transaction, payment, eventId) => {
      const clientId = payment.lastPayerId ?? payment.confirmedBy ?? payment.clientId;
      const subjects = subjectsOf(clientId, payment.lastPayerAddress);
      await acquireLocks(transaction, locksOf(subjects));
      const isCounted = await insertDecline(transaction, payment, { eventId, subjects, happenedAt: clock() });
      if (!isCounted) return;
      const throttled = await findThrottledSubjects(
        transaction,
        throttle.windowsOf({ clientId, address: payment.lastPayerAddress ?? undefined }),
      );
      const full = throttled.filter(({ kind }) => kind === 'decline');
      if (full.length === 0) return;
      const isOfClient = full.some(({ subject }) => subject === 'client');
      await queueCancelAfterDeclines(transaction, {
        paymentId: payment.id,
        // Other clients at the same address may be honest: their payments continue until one of their cards is declined.
        clientId: isOfClient ? clientId : null,
      });
      alertOnceAnHour(
        `testing ${clientId}`,
        'cards are declined repeatedly: someone may be testing stolen ones',
        { of: namesOf(full), client: clientId, address: payment.lastPayerAddress, payment: payment.id },
      );
    },

    deleteExpired: async (connection) => {
      const now = clock().getTime();
      await deleteAttempts(connection, new Date(now - windows.decline));
      await deleteIdempotencyKeys(connection, new Date(now - keyLifetime));
    },
  };
}

interface AttemptOptions {
  limits: AttemptLimits;
  clock: Clock;
  alertOperator: AlertOperator;
}

/** Finds and rejects the clients and addresses that have reached a limit. */
function createThrottle({
  limits,
  clock,
  alertOnceAnHour,
}: Pick<AttemptOptions, 'limits' | 'clock'> & { alertOnceAnHour: ReturnType<typeof limitAlerts> }) {
  const windowsOf = ({ clientId, address }: Payer): AttemptWindows => {
    const now = clock().getTime();
    return {
      ...subjectsOf(clientId, address),
      startsOfClient: limits.starts.client,
      startsOfAddress: limits.starts.address,
      startsSince: new Date(now - windows.start),
      declinesOfClient: limits.declines.client,
      declinesOfAddress: limits.declines.address,
      declinesSince: new Date(now - windows.decline),
    };
  };

  const check = (kind: AttemptKind, { clientId, address }: Payer, throttled: readonly ThrottledSubject[]) => {
    const full = throttled.filter((subject) => subject.kind === kind);
    if (full.length === 0) return;
    alertOnceAnHour(`${kind} ${clientId}`, 'a payment was throttled: there were too many attempts', {
      kind,
      of: namesOf(full),
      client: clientId,
      address,
    });
    const freeAt = Math.max(...full.map(({ decisiveAt }) => decisiveAt.getTime())) + windows[kind];
    throw throttleError(freeAt - clock().getTime(), windows[kind]);
  };
  return { windowsOf, check };
}

/** Counts a declined card, unless its event or the check that found it was counted before. */
async function insertDecline(
  transaction: Transaction,
  { id: paymentId, provider }: PaymentRow,
  decline: { eventId: string | null; subjects: AttemptSubjects; happenedAt: Date },
): Promise<boolean> {
  const { eventId, subjects, happenedAt } = decline;
  const isKnown =
    eventId === null
      ? await hasOpenDecline(transaction, { provider, paymentId })
      : await assignEventToDecline(transaction, { paymentId, eventId });
  if (isKnown) return false;
  return insertAttempt(transaction, {
    kind: 'decline',
    paymentId,
    ...subjects,
    providerEventId: eventId,
    happenedAt,
  });
}

const namesOf = (full: ThrottledSubject[]) => full.map(({ subject }) => subject).join(' and ');

function throttleError(wait: number, window: number): DomainError {
  // Another server's clock may be ahead: never ask to wait longer than the window.
  const seconds = Math.min(Math.max(Math.ceil(wait / 1000), 1), window / 1000);
  return new DomainError('too_many_payment_attempts', {
    message: `There have been too many payment attempts. Please try again in ${inWords(seconds)}, or call us.`,
    retryAfter: seconds,
  });
}

function inWords(seconds: number): string {
  const minutes = Math.ceil(seconds / 60);
  const [count, unit] = minutes <= 90 ? [minutes, 'minute'] : [Math.ceil(minutes / 60), 'hour'];
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
