import { ProviderUnavailable } from '../ports.ts';
import { findIntentsToCheck, scheduleNextIntentCheck } from './checks-store.ts';
import { nextCheckTime } from './next-check.ts';
import { type SyncDependencies, syncPaymentFromProvider } from './sync-payment.ts';

/** Intents that one round asks about, at most. */
const batchSize = 500;

/**
 * Asks the provider about every intent that is due for a check, which makes up for lost webhooks. An intent that
 * cannot be synced raises an alert and is retried later; it does not hold up the others. A round ends early when the
 * provider is unavailable.
 */
export async function syncDuePayments(dependencies: SyncDependencies): Promise<void> {
  const { database, provider, clock, alertOperator } = dependencies;
  const due = await findIntentsToCheck(database, {
    provider: provider.name,
    now: clock(),
    limit: batchSize,
  });
  for (const { intentId, quietSince } of due) {
    let isUnavailable = false;
    try {
      await syncPaymentFromProvider(dependencies, intentId, { name: 'reconciliation' });
    } catch (error) {
      isUnavailable = error instanceof ProviderUnavailable;
      if (!isUnavailable) {
        alertOperator('a payment could not be synced from the provider', {
          intent: intentId,
          reason: error instanceof Error ? error.message : String(error),
        });
      }
    }
    const at = nextCheckTime(clock(), quietSince);
    await scheduleNextIntentCheck(database, { provider: provider.name, intentId, at });
    // The other intents stay due, and the next round starts with them.
    if (isUnavailable) return;
  }
}
