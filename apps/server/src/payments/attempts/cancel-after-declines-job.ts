import type { Connection } from '../../platform/database.ts';
import { defineJob } from '../../platform/jobs.ts';

export interface DeclinedPayments {
  /** The payment whose card was declined last. */
  paymentId: string;
  /** The client whose other open payments are cancelled too; null to cancel only the one payment. */
  clientId: string | null;
}

export const cancelAfterDeclinesJob = defineJob<DeclinedPayments>('cancel-after-declines');

/**
 * Queues the cancellation of open payments in the transaction that counted one decline too many, because a browser
 * with the secret of an open intent could try more cards at the provider without calling us.
 */
export const queueCancelAfterDeclines = (connection: Connection, declined: DeclinedPayments): Promise<void> =>
  cancelAfterDeclinesJob.add(connection, declined, {
    key: `cancel-after-declines ${declined.clientId ?? declined.paymentId}`,
  });
