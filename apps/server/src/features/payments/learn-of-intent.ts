import { cardRefusal } from '@keyturn/contract';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Transaction } from '../../platform/database.ts';
import { isId } from '../../platform/ids.ts';
import { runTransaction } from '../../platform/run-transaction.ts';
import { inPounds } from './in-pounds.ts';
import { decideOnFacts, type PaymentDecision } from './payment-states.ts';
import {
  closeEvents,
  findPayment,
  findPaymentOfIntent,
  lockPaymentOfIntent,
  nextReceiptNumber,
  type PaymentChange,
  type PaymentRow,
  updatePayment,
} from './payments-store.ts';
import type { PayableSearches, PaymentHistory, PaymentProvider, ProviderIntent } from './ports.ts';

export interface PaymentDependencies {
  database: Database;
  provider: PaymentProvider;
  searches: PayableSearches;
  history: PaymentHistory;
  clock: Clock;
  /** Told of what a person has to look at. */
  alarm(message: string, details: Record<string, unknown>): void;
}

/** An intent as the provider has it, and what that meant for our payment; undefined where it is none of ours. */
export interface LearnedIntent {
  intent: ProviderIntent;
  decision: PaymentDecision['kind'] | undefined;
}

/**
 * Asks the provider how an intent stands and makes our payment agree, with everything that follows from it, in one
 * transaction. Every way to learn of a change comes here: webhooks, the payer's own request, the catch-up. It may
 * be called at any time, any number of times, for the same intent at once.
 * @param cause for the record: what made us ask
 * @throws ProviderUnavailable, IntentUnknown
 */
export async function learnOfIntent(
  dependencies: PaymentDependencies,
  intentId: string,
  cause: { name: string; eventId?: string },
): Promise<LearnedIntent> {
  const { database, provider, searches, clock } = dependencies;
  const askedAt = clock();
  const intent = await provider.retrieveIntent(intentId);
  const named = { provider: provider.name, intentId, paymentId: intent.paymentId };
  const events = { provider: provider.name, intentId, receivedUntil: askedAt };
  const decision = await runTransaction(database, async (transaction) => {
    // The search before its payment, as everywhere: two who lock in another order wait for each other.
    const { caseSearchId } = (await findPaymentOfIntent(transaction, named)) ?? {};
    if (caseSearchId) await searches.hold(transaction, caseSearchId);
    const payment = await lockPaymentOfIntent(transaction, named);
    if (!payment) {
      await closeEvents(transaction, events, 'unmatched');
      return undefined;
    }
    const decided = decideOnFacts(payment, intent);
    await act(dependencies, transaction, payment, intent, decided, cause);
    await closeEvents(transaction, events, outcomes[decided.kind]);
    return decided.kind;
  });
  if (decision === undefined) await endSuperseded(dependencies, intent);
  return { intent, decision };
}

/**
 * Ends an intent of one of our payments that has another one: its making was never answered, and the provider forgot
 * it, or failed. Its secret was given to nobody; it must not stay open for that.
 */
async function endSuperseded(
  { database, provider, clock }: PaymentDependencies,
  { intentId, paymentId }: ProviderIntent,
): Promise<void> {
  const payment = paymentId && isId(paymentId) ? await findPayment(database, paymentId) : undefined;
  const isSuperseded =
    payment?.provider === provider.name &&
    payment.providerIntentId !== null &&
    payment.providerIntentId !== intentId;
  if (!isSuperseded) return;
  const { status } = await provider.cancelIntent(intentId);
  if (status !== 'canceled') return;
  await closeEvents(database, { provider: provider.name, intentId, receivedUntil: clock() }, 'ignored');
}

const outcomes = { apply: 'applied', unchanged: 'stale', stale: 'stale', mismatched: 'mismatched' } as const;

async function act(
  dependencies: PaymentDependencies,
  transaction: Transaction,
  payment: PaymentRow,
  intent: ProviderIntent,
  decision: PaymentDecision,
  cause: { name: string; eventId?: string },
): Promise<void> {
  if (decision.kind === 'mismatched') {
    dependencies.alarm('a payment intent is not what we asked for', {
      payment: payment.id,
      intent: intent.intentId,
      reason: decision.reason,
    });
    return;
  }
  if (decision.kind !== 'apply') return;

  const isNewlyPaid =
    payment.paidAt === null && ['succeeded', 'partially_refunded', 'refunded'].includes(decision.status);
  const change: PaymentChange = {
    status: decision.status,
    refundedAmount: decision.refundedAmount,
    providerIntentId: intent.intentId,
    providerRevision: intent.revision,
    lastCause: cause.name,
    lastProviderEventId: cause.eventId ?? null,
    nextCheckAt: dependencies.clock(),
    failureCode: intent.error?.code ?? null,
    failureMessage: intent.error ? cardRefusal(intent.error.code) : null,
  };
  if (intent.card) Object.assign(change, { cardBrand: intent.card.brand, cardLast4: intent.card.last4 });
  if (!isNewlyPaid) {
    await updatePayment(transaction, payment.id, change);
    return;
  }
  const paidAt = dependencies.clock();
  await tellOfPayment(dependencies, transaction, payment, paidAt);
  // The record goes by single moves: money that was taken and given back unseen was taken first.
  await updatePayment(transaction, payment.id, {
    ...change,
    status: 'succeeded',
    refundedAmount: 0,
    paidAt,
    receiptNumber: await nextReceiptNumber(transaction, yearInLondon(paidAt)),
  });
  if (decision.status !== 'succeeded') await updatePayment(transaction, payment.id, change);
}

/** What follows from the money being taken. */
async function tellOfPayment(
  { searches, history, alarm }: PaymentDependencies,
  transaction: Transaction,
  payment: PaymentRow,
  paidAt: Date,
): Promise<void> {
  if (payment.caseSearchId && !(await searches.markPaid(transaction, payment.caseSearchId, paidAt))) {
    // Before the commit: told of twice is better than never.
    alarm('a search was paid that no longer awaited payment: the money may have to go back', {
      payment: payment.id,
      search: payment.caseSearchId,
    });
  }
  await history.record(transaction, {
    caseId: payment.caseId,
    occurredAt: paidAt,
    clientId: payment.confirmedBy ?? payment.clientId,
    summary: `Paid ${inPounds(payment.amount)} for: ${payment.description}`,
  });
}

const yearInLondon = (instant: Date) =>
  Number(new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/London', year: 'numeric' }).format(instant));
