import type { PaymentDependencies } from '../payment-dependencies.ts';
import { findProvider } from '../provider/provider-of-payment.ts';
import { syncPaymentFromProvider } from '../provider/sync-payment.ts';
import { findPaymentsToEnd } from './attempts-store.ts';
import { endDeclinedJob } from './declined-payments-job.ts';

/** Ends at the provider what somebody with too many declines has open, so that its secrets are worth nothing. */
export const endDeclinedPaymentsHandler = (dependencies: PaymentDependencies) =>
  endDeclinedJob.handledBy(async (declined) => {
    const failures: unknown[] = [];
    for (const payment of await findPaymentsToEnd(dependencies.database, declined)) {
      const { providerIntentId } = payment;
      const provider = findProvider(dependencies, payment.provider);
      if (!provider || providerIntentId === null) continue;
      try {
        await provider.cancelIntent(providerIntentId);
        // Whoever was quicker has paid: then that is learned.
        await syncPaymentFromProvider({ ...dependencies, provider }, providerIntentId, {
          name: 'too_many_declines',
        });
      } catch (error) {
        failures.push(error);
      }
    }
    // The queue tries again those that are left.
    if (failures.length > 0) throw failures[0];
  });
