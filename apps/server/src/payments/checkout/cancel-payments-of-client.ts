import { cancelPaymentsJob } from '../../people/clients/cancel-payments-job.ts';
import { cancelAtProvider } from '../intents/cancel-at-provider.ts';
import type { PaymentDependencies } from '../payment-dependencies.ts';
import { findProviderOf } from '../provider/find-provider.ts';
import { findPaymentsOfLostAccess } from '../records/payments-store.ts';

/**
 * Cancels at the provider the open payments of a client who was disabled, or who is no longer on the case, so that a page
 * that is still open cannot pay them. Payments that the bank is processing or that are under review are left to the firm.
 */
export const cancelPaymentsHandler = (dependencies: PaymentDependencies) =>
  cancelPaymentsJob.handledBy(async ({ clientId, reason }) => {
    const failures: unknown[] = [];
    const found = await findPaymentsOfLostAccess(dependencies.database, {
      clientId,
      hasAccess: reason === 'erasure_ordered',
    });
    for (const payment of found) {
      if (!findProviderOf(dependencies, payment)) continue;
      try {
        await dependencies.continuity.checkOpen(payment.provider);
        await cancelAtProvider(dependencies, payment, reason);
      } catch (error) {
        failures.push(error);
      }
    }
    // The queue retries the job for the payments that are left.
    if (failures.length > 0) throw failures[0];
  });
