import type { PaymentDependencies } from '../payment-dependencies.ts';
import { ProviderUnavailable } from '../ports.ts';
import { findIntentsToCheck, scheduleNextIntentCheck } from './checks-store.ts';
import { nextCheckTime } from './next-check.ts';
import { syncPaymentFromProvider } from './sync-payment.ts';

/** Intents asked about in one go. */
const atMost = 500;

/**
 * Asks the provider about every intent of which the last word is not known, when it is time to: after a start, and
 * now and then. A webhook that was lost, or came while nobody listened, is made good here. An intent that cannot be
 * brought up to date is told of and tried again later; it holds up no other one.
 */
export async function syncDuePayments(dependencies: PaymentDependencies): Promise<void> {
  const { database, provider, clock, alertOperator } = dependencies;
  const due = await findIntentsToCheck(database, { provider: provider.name, now: clock(), limit: atMost });
  for (const { intentId, quietSince } of due) {
    let isAway = false;
    try {
      await syncPaymentFromProvider(dependencies, intentId, { name: 'reconciliation' });
    } catch (error) {
      isAway = error instanceof ProviderUnavailable;
      if (!isAway) {
        alertOperator('a payment could not be brought up to date', {
          intent: intentId,
          reason: error instanceof Error ? error.message : String(error),
        });
      }
    }
    await scheduleNextIntentCheck(database, {
      provider: provider.name,
      intentId,
      at: nextCheckTime(clock(), quietSince),
    });
    // The others would not be answered either: they stay due, and are the first of the next round.
    if (isAway) return;
  }
}
