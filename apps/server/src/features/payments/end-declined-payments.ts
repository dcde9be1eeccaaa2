import { findPaymentsToEnd } from './attempts-store.ts';
import { endDeclinedJob } from './declined-payments-job.ts';
import { learnOfIntent, type PaymentDependencies } from './learn-of-intent.ts';

/** Ends at the provider what somebody with too many declines has open, so that its secrets are worth nothing. */
export const endDeclinedPaymentsHandler = (dependencies: PaymentDependencies) =>
  endDeclinedJob.handledBy(async (declined) => {
    const { database, provider } = dependencies;
    const failures: unknown[] = [];
    for (const { provider: name, providerIntentId } of await findPaymentsToEnd(database, declined)) {
      if (name !== provider.name || providerIntentId === null) continue;
      try {
        await provider.cancelIntent(providerIntentId);
        // Whoever was quicker has paid: then that is learned.
        await learnOfIntent(dependencies, providerIntentId, { name: 'too_many_declines' });
      } catch (error) {
        failures.push(error);
      }
    }
    // The queue tries again those that are left.
    if (failures.length > 0) throw failures[0];
  });
