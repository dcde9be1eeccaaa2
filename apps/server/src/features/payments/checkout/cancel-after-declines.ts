import type { PaymentDependencies } from '../payment-dependencies.ts';
import { findProvider } from '../provider/find-provider.ts';
import { syncPaymentFromProvider } from '../provider/sync-payment.ts';
import { findPaymentsToCancel } from './attempts-store.ts';
import { cancelAfterDeclinesJob } from './cancel-after-declines-job.ts';

/** Ends at the provider what somebody with too many declines has open, so that its secrets are worth nothing. */
export const cancelAfterDeclinesHandler = (dependencies: PaymentDependencies) =>
  cancelAfterDeclinesJob.handledBy(async (declined) => {
    const failures: unknown[] = [];
    for (const payment of await findPaymentsToCancel(dependencies.database, declined)) {
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
