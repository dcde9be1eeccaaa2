import type { Transaction } from '../../platform/database.ts';
import { defineJob, type JobHandler } from '../../platform/jobs.ts';
import type { PaymentDependencies } from '../payment-dependencies.ts';
import { IntentNotFound, ProviderRefused } from '../ports/provider.ts';
import { findProviderOf } from '../provider/find-provider.ts';
import { findPayment } from '../records/payments-store.ts';

const labelReceiptJob = defineJob<{ paymentId: string }>('label-receipt');

/** Queues a job that writes the receipt number of a payment into its intent, where a recovery can read it. */
export const queueReceiptLabel = (transaction: Transaction, paymentId: string): Promise<void> =>
  labelReceiptJob.add(transaction, { paymentId }, { key: `label-receipt ${paymentId}` });

/** Writes receipt numbers into intents. Intents that the provider no longer has are skipped. */
export const labelReceiptHandler = (
  dependencies: Pick<PaymentDependencies, 'database' | 'provider' | 'providers'>,
): JobHandler =>
  labelReceiptJob.handledBy(async ({ paymentId }) => {
    const payment = await findPayment(dependencies.database, paymentId);
    const provider = payment && findProviderOf(dependencies, payment);
    if (!provider || !payment.providerIntentId || !payment.receiptNumber) return;
    try {
      await provider.labelIntent(payment.providerIntentId, { receipt_number: payment.receiptNumber });
    } catch (error) {
      if (!(error instanceof IntentNotFound || error instanceof ProviderRefused)) throw error;
    }
  });
