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
} from './attempts-store.ts';
import { queueCancelAfterDeclines } from './cancel-after-declines-job.ts';

/**
 * Stops the testing of stolen cards: payments that are begun, and cards that are declined, are counted for the client
 * and for the address, in the database, for all servers together. Whoever has had too many can begin and go on with
 * no payment until enough of them are past, and what they have open ends at the provider.
 */
export interface PaymentAttempts {
  /**
   * Whether a card may be given.
   * @throws DomainError `too_many_payment_attempts`
   */
  checkDeclines(transaction: Transaction, payer: Payer): Promise<void>;
  /**
   * Counts a payment that is about to be begun. Before its row is stored: others of this payer wait.
   * @throws DomainError `too_many_payment_attempts`
   */
  checkStarts(transaction: Transaction, payer: Payer): Promise<void>;
  countStart(transaction: Transaction, payer: Payer, paymentId: string): Promise<void>;
  /** @param eventId of the provider's event that told of it, once each; null where the provider was asked */
  countDecline(transaction: Transaction, payment: PaymentRow, eventId: string | null): Promise<void>;
  /** Removes what counts no more. */
  deleteExpired(connection: Connection): Promise<void>;
}

export interface Payer {
  clientId: string;
  /** The request's; undefined for what comes by no network. */
  address: string | undefined;
}

/** Begun in an hour, declined in 24 hours, at most. */
export type AttemptLimits = Record<'starts' | 'declines', { client: number; address: number }>;

/** Milliseconds. */
const windows: Record<AttemptKind, number> = { start: 3_600_000, decline: 86_400_000 };

export function createPaymentAttempts(options: {
  limits: AttemptLimits;
  clock: Clock;
  alertOperator: AlertOperator;
}): PaymentAttempts {
  const { limits, clock } = options;
  const maxOf = { start: limits.starts, decline: limits.declines };
  const alertOnceAnHour = limitAlerts(options.alertOperator, clock);

  const findThrottled = (connection: Connection, kind: AttemptKind, subjects: AttemptSubjects) =>
    findThrottledSubjects(connection, subjects, {
      kind,
      most: maxOf[kind],
      since: new Date(clock().getTime() - windows[kind]),
    });

  const rejectThrottled = async (connection: Connection, kind: AttemptKind, payer: Payer) => {
    const full = await findThrottled(connection, kind, subjectsOf(payer.clientId, payer.address));
    if (full.length === 0) return;
    const of = full.map(({ subject }) => subject).join(' and ');
    alertOnceAnHour(`${kind} ${payer.clientId}`, 'a payment was refused: there were too many attempts', {
      kind,
      of,
      client: payer.clientId,
      address: payer.address,
    });
    const freeAt = Math.max(...full.map(({ decisiveAt }) => decisiveAt.getTime())) + windows[kind];
    throw throttleError(freeAt - clock().getTime(), windows[kind]);
  };

  return {
    checkDeclines: (transaction, payer) => rejectThrottled(transaction, 'decline', payer),

    checkStarts: async (transaction, payer) => {
      await lockSubjects(transaction, subjectsOf(payer.clientId, payer.address));
      await rejectThrottled(transaction, 'start', payer);
    },

    countStart: async (transaction, payer, paymentId) => {
      const subjects = subjectsOf(payer.clientId, payer.address);
      await insertAttempt(transaction, { kind: 'start', paymentId, ...subjects, happenedAt: clock() });
    },

    countDecline: async (transaction, payment, eventId) => {
      const clientId = payment.lastPayerId ?? payment.confirmedBy ?? payment.clientId;
      const subjects = subjectsOf(clientId, payment.lastPayerAddress);
      await lockSubjects(transaction, subjects);
      const { id: paymentId, provider } = payment;
      const isKnown =
        eventId === null
          ? await hasOpenDecline(transaction, { provider, paymentId })
          : await assignEventToDecline(transaction, { paymentId, eventId });
      if (isKnown) return;
      const isCounted = await insertAttempt(transaction, {
        kind: 'decline',
        paymentId,
        ...subjects,
        providerEventId: eventId,
        happenedAt: clock(),
      });
      if (!isCounted) return;
      const full = await findThrottled(transaction, 'decline', subjects);
      if (full.length === 0) return;
      const isOfClient = full.some(({ subject }) => subject === 'client');
      await queueCancelAfterDeclines(transaction, {
        paymentId,
        // Others behind the same address may be honest: theirs go on until a card of theirs is declined.
        clientId: isOfClient ? clientId : null,
      });
      alertOnceAnHour(
        `testing ${clientId}`,
        'cards are declined again and again: somebody may be testing stolen ones',
        {
          of: full.map(({ subject }) => subject).join(' and '),
          client: clientId,
          address: payment.lastPayerAddress,
          payment: payment.id,
        },
      );
    },

    deleteExpired: (connection) => deleteAttempts(connection, new Date(clock().getTime() - windows.decline)),
  };
}

function throttleError(wait: number, window: number): DomainError {
  // Another server's clock may be ahead; nobody is sent away for longer than the window.
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
