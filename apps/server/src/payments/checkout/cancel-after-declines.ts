import { findPaymentsToCancel } from '../attempts/attempts-store.ts';
import { cancelAfterDeclinesJob } from '../attempts/cancel-after-declines-job.ts';
import { syncPaymentFromProvider } from '../intents/sync-payment.ts';
import type { PaymentDependencies } from '../payment-dependencies.ts';
import { findProviderOf } from '../provider/find-provider.ts';

/** Cancels the open payments of a payer with too many declines at the provider, so that their secrets are useless. */
export const cancelAfterDeclinesHandler = (dependencies: PaymentDependencies) =>
  cancelAfterDeclinesJob.handledBy(async (declined) => {
    const failures: unknown[] = [];
    for (const payment of await findPaymentsToCancel(dependencies.database, declined)) {
      const { providerIntentId } = payment;
      const provider = findProviderOf(dependencies, payment);
      if (!provider || providerIntentId === null) continue;
      try {
        await provider.cancelIntent(providerIntentId);
        // The payer may have paid meanwhile; syncing records that too.
        await syncPaymentFromProvider({ ...dependencies, provider }, providerIntentId, {
          name: 'too_many_declines',
        });
      } catch (error) {
        failures.push(error);
      }
    }
    // The queue retries the job for the payments that are left.
    if (failures.length > 0) throw failures[0];
  });
