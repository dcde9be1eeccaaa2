import { runTransaction } from '../../platform/run-transaction.ts';
import { isPaused } from '../continuity/continuity.ts';
import { syncFraudSubject } from '../disputes/record-fraud-signals.ts';
import { syncPaymentFromProvider } from '../intents/sync-payment.ts';
import type { PaymentDependencies } from '../payment-dependencies.ts';
import { IntentNotFound, type ProviderEvent, ProviderUnavailable } from '../ports/provider.ts';
import { ignoreEvent, ignoreUnknownIntent, storeEvent } from '../records/events-store.ts';
import { lockPaymentOfIntent } from '../records/intents-store.ts';

/**
 * Handles a provider's event with a valid signature: stores it first, then syncs the payment. A repeated event
 * changes nothing. An event about another installation's payment is ignored. An event that cannot be processed now
 * stays stored, and the periodic check processes it.
 */
export async function handleWebhookEvent(
  dependencies: PaymentDependencies,
  event: ProviderEvent,
): Promise<void> {
  const { database, provider, clock, installationId } = dependencies;
  const outcome = event.reportsDecline
    ? await storeDecline(dependencies, event)
    : (await storeEvent(database, provider.name, event, clock())).outcome;
  if (outcome !== undefined && outcome !== 'unmatched') return;
  const isForeign = Boolean(event.installationId) && event.installationId !== installationId;
  if (event.intentId === null || isForeign) return ignoreEvent(database, provider.name, event.id);
  try {
    if (event.fraudSubject) await syncFraudSubject(dependencies, event.fraudSubject);
    await syncPaymentFromProvider(dependencies, event.intentId, { name: event.type, eventId: event.id });
  } catch (error) {
    if (error instanceof IntentNotFound) await ignoreUnknownIntent(dependencies, event.intentId);
    // After a restore, events wait for the recovery.
    else if (!(error instanceof ProviderUnavailable || isPaused(error))) throw error;
  }
}

/** Stores an event that reports a decline, and counts the decline. @returns the outcome of the event */
const storeDecline = (
  { database, provider, attempts, clock }: PaymentDependencies,
  event: ProviderEvent,
): Promise<StoredEventOutcome> =>
  runTransaction(database, async (transaction) => {
    const stored = await storeEvent(transaction, provider.name, event, clock());
    if (stored.isNew && event.intentId !== null) {
      // The payment is always locked before its attempts are counted, because another order could deadlock.
      const payment = await lockPaymentOfIntent(transaction, {
        provider: provider.name,
        intentId: event.intentId,
        paymentId: null,
      });
      // Two equal declines leave the payment unchanged, so the events are counted.
      // No one can test cards by bank.
      if (payment?.method === 'card') await attempts.countDecline(transaction, payment, event.id);
    }
    return stored.outcome;
  });

type StoredEventOutcome = Awaited<ReturnType<typeof storeEvent>>['outcome'];
