import type { Connection } from '../../../platform/database.ts';
import { defineJob } from '../../../platform/jobs.ts';

export interface DeclinedPayments {
  /** Whose card was declined last. */
  paymentId: string;
  /** All that this client has open ends as well; null: no more than the one. */
  clientId: string | null;
}

export const cancelAfterDeclinesJob = defineJob<DeclinedPayments>('cancel-after-declines');

/**
 * Asks for the end of what a card could still be tried on, within the transaction that counted one decline too many: a
 * browser has the secret of an open intent, and tries cards at the provider without asking us.
 */
export const queueCancelAfterDeclines = (connection: Connection, declined: DeclinedPayments): Promise<void> =>
  cancelAfterDeclinesJob.add(connection, declined, {
    key: `cancel-after-declines ${declined.clientId ?? declined.paymentId}`,
  });
