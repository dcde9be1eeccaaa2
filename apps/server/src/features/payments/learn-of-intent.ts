import { cardRefusal } from '@keyturn/contract';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Transaction } from '../../platform/database.ts';
import { decideOnFacts, type PaymentDecision } from './payment-states.ts';
import {
  closeEvents,
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

/**
 * Asks the provider how an intent stands and makes our payment agree, with everything that follows from it, in one
 * transaction. Every way to learn of a change comes here: webhooks, the payer's own request, the catch-up. It may
 * be called at any time, any number of times, for the same intent at once.
 * @param cause for the record: what made us ask
 * @throws ProviderUnavailable
 */
export async function learnOfIntent(
  dependencies: PaymentDependencies,
  intentId: string,
  cause: { name: string; eventId?: string },
): Promise<ProviderIntent> {
  const { database, provider, clock } = dependencies;
  const askedAt = clock();
  const intent = await provider.retrieveIntent(intentId);
  await database.transaction(async (transaction) => {
    const payment = await lockPaymentOfIntent(transaction, {
      provider: provider.name,
      intentId,
      paymentId: intent.paymentId,
    });
    const events = { provider: provider.name, intentId, receivedUntil: askedAt };
    if (!payment) return closeEvents(transaction, events, 'unmatched');
    const decision = decideOnFacts(payment, intent);
    await act(dependencies, transaction, payment, intent, decision, cause);
    await closeEvents(transaction, events, outcomes[decision.kind]);
  });
  return intent;
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
    failureCode: intent.error?.code ?? null,
    failureMessage: intent.error ? cardRefusal(intent.error.code) : null,
  };
  if (intent.card) Object.assign(change, { cardBrand: intent.card.brand, cardLast4: intent.card.last4 });
  if (!isNewlyPaid) {
    await updatePayment(transaction, payment.id, change);
    return;
  }
  const paidAt = dependencies.clock();
  // The record goes by single moves: money that was taken and given back unseen was taken first.
  await updatePayment(transaction, payment.id, {
    ...change,
    status: 'succeeded',
    refundedAmount: 0,
    paidAt,
    receiptNumber: await nextReceiptNumber(transaction),
  });
  if (decision.status !== 'succeeded') await updatePayment(transaction, payment.id, change);
  if (payment.caseSearchId) await dependencies.searches.markPaid(transaction, payment.caseSearchId, paidAt);
  await dependencies.history.record(transaction, {
    caseId: payment.caseId,
    occurredAt: paidAt,
    clientId: payment.clientId,
    summary: `Paid ${inPounds(payment.amount)} for: ${payment.description}`,
  });
}

const inPounds = (pence: number) =>
  new Intl.NumberFormat('en-GB', { style: 'currency', currency: 'GBP' }).format(pence / 100);
