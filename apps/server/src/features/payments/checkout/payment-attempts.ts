import type { AlertOperator } from '../../../platform/alert-operator.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Connection, Transaction } from '../../../platform/database.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import { limitAlerts } from '../../../platform/limit-alerts.ts';
import type { PaymentRow } from '../records/payment-row.ts';
import {
  type AttemptKind,
  type AttemptSubjects,
  assignEventToDecline,
  deleteAttempts,
  findThrottledSubjects,
  hasOpenDecline,
  insertAttempt,
  lockSubjects,
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
   * Checks that the payer may start another payment. Call it before the payment is stored: concurrent requests of the
   * same payer wait here until the end of the transaction.
   * @throws DomainError `too_many_payment_attempts`
   */
  checkStarts(transaction: Transaction, payer: Payer): Promise<void>;
  countStart(transaction: Transaction, payer: Payer, paymentId: string): Promise<void>;
  /** @param eventId the provider's event that reported the decline, counted once; null if we asked the provider */
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

/** Milliseconds. */
const windows: Record<AttemptKind, number> = { start: 3_600_000, decline: 86_400_000 };

export function createPaymentAttempts({ limits, clock, alertOperator }: AttemptOptions): PaymentAttempts {
  const alertOnceAnHour = limitAlerts(alertOperator, clock);
  const throttle = createThrottle({ limits, clock, alertOnceAnHour });
  return {
    checkDeclines: (transaction, payer) => throttle.reject(transaction, 'decline', payer),

    checkStarts: async (transaction, payer) => {
      await lockSubjects(transaction, subjectsOf(payer.clientId, payer.address));
      await throttle.reject(transaction, 'start', payer);
    },

    countStart: async (transaction, payer, paymentId) => {
      const subjects = subjectsOf(payer.clientId, payer.address);
      await insertAttempt(transaction, { kind: 'start', paymentId, ...subjects, happenedAt: clock() });
    },

    countDecline: async (transaction, payment, eventId) => {
      const clientId = payment.lastPayerId ?? payment.confirmedBy ?? payment.clientId;
      const subjects = subjectsOf(clientId, payment.lastPayerAddress);
      await lockSubjects(transaction, subjects);
      const isCounted = await insertDecline(transaction, payment, { eventId, subjects, happenedAt: clock() });
      if (!isCounted) return;
      const full = await throttle.find(transaction, 'decline', subjects);
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

    deleteExpired: (connection) => deleteAttempts(connection, new Date(clock().getTime() - windows.decline)),
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
  const maxOf = { start: limits.starts, decline: limits.declines };
  const find = (connection: Connection, kind: AttemptKind, subjects: AttemptSubjects) =>
    findThrottledSubjects(connection, subjects, {
      kind,
      max: maxOf[kind],
      since: new Date(clock().getTime() - windows[kind]),
    });

  /** @throws DomainError `too_many_payment_attempts` */
  const reject = async (connection: Connection, kind: AttemptKind, { clientId, address }: Payer) => {
    const full = await find(connection, kind, subjectsOf(clientId, address));
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
  return { find, reject };
}

/** Counts a declined card, unless its event or the check that found it out was counted before. */
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
