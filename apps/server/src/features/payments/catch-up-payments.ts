import { learnOfIntent, type PaymentDependencies } from './learn-of-intent.ts';
import { findOpenIntents } from './payments-store.ts';
import { ProviderUnavailable } from './ports.ts';

/** Intents asked about in one go. */
const atMost = 500;

/**
 * Asks the provider about every intent of which the last word is not known: after a start, and now and then. A
 * webhook that was lost, or came while nobody listened, is made good here.
 */
export async function catchUpPayments(dependencies: PaymentDependencies): Promise<void> {
  for (const intentId of await findOpenIntents(dependencies.database, atMost)) {
    try {
      await learnOfIntent(dependencies, intentId, { name: 'reconciliation' });
    } catch (error) {
      if (error instanceof ProviderUnavailable) return;
      dependencies.alarm('a payment could not be brought up to date', {
        intent: intentId,
        reason: error instanceof Error ? error.message : String(error),
      });
    }
  }
}
