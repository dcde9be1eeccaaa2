import { runTransaction } from '../../../platform/run-transaction.ts';
import type { PaymentDependencies } from '../payment-dependencies.ts';
import { IntentNotFound, type ProviderEvent, ProviderUnavailable } from '../ports.ts';
import { lockPaymentOfIntent } from '../provider/intents-store.ts';
import { syncPaymentFromProvider } from '../provider/sync-payment.ts';
import { ignoreEvent, storeEvent } from './events-store.ts';

/**
 * Takes a provider's event whose signature was right: stored first, then acted on. A repeat changes nothing. What
 * cannot be acted on now stays stored, and the catch-up goes on with it.
 */
export async function handleWebhookEvent(
  dependencies: PaymentDependencies,
  event: ProviderEvent,
): Promise<void> {
  const { database, provider, attempts, clock } = dependencies;
  const outcome = await runTransaction(database, async (transaction) => {
    const stored = await storeEvent(transaction, provider.name, event, clock());
    if (stored.isNew && event.reportsDecline && event.intentId !== null) {
      // The payment before what is counted of it, as where its state is learned: else the two wait for each other.
      const payment = await lockPaymentOfIntent(transaction, {
        provider: provider.name,
        intentId: event.intentId,
        paymentId: null,
      });
      // Declines that are alike change nothing of the payment: so the events are what is counted.
      if (payment) await attempts.countDecline(transaction, payment, event.id);
    }
    return stored.outcome;
  });
  if (outcome !== undefined && outcome !== 'unmatched') return;
  if (event.intentId === null) return ignoreEvent(database, provider.name, event.id);
  try {
    await syncPaymentFromProvider(dependencies, event.intentId, { name: event.type, eventId: event.id });
  } catch (error) {
    if (!(error instanceof ProviderUnavailable || error instanceof IntentNotFound)) throw error;
  }
}
