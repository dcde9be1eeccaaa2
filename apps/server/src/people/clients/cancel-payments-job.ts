import type { Connection } from '../../platform/database.ts';
import { defineJob } from '../../platform/jobs.ts';

/** Why the open payments of a client are cancelled. An erasure is ordered while they still have access. */
export interface LostAccess {
  clientId: string;
  reason: 'client_removed' | 'client_disabled' | 'erasure_ordered';
}

export const cancelPaymentsJob = defineJob<LostAccess>('cancel-payments-of-client');

/**
 * Queues the cancellation of a client's open payments at the provider, in the transaction that takes their access away: a
 * browser with the secret of an open intent could pay it without calling us.
 */
export const queueCancelPayments = (connection: Connection, lost: LostAccess): Promise<void> =>
  cancelPaymentsJob.add(connection, lost, {
    key: `cancel-payments-of-client ${lost.clientId} ${lost.reason}`,
  });
