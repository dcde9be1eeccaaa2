import { openPaymentStatuses } from '@keyturn/contract';
import { inArray, sql } from 'drizzle-orm';
import { replaceInstallationId } from '../../firm/installation.ts';
import { newId } from '../../platform/ids.ts';
import { runTransaction } from '../../platform/run-transaction.ts';
import { payments, refunds } from '../../schema/tables/payment-tables.ts';
import type { PaymentDependencies } from '../payment-dependencies.ts';

export interface NewInstallation {
  installationId: string;
  /** Open payments that were cancelled only in this database, because their intents belong to the original. */
  cancelledPayments: number;
  /** Refund requests that were rejected in this database. */
  rejectedRefunds: number;
}

/**
 * Makes a copy of a database a separate installation: intents of the original no longer belong to it, and open
 * payments and refund requests of the original end in the copy without a call to the provider. No server may run on
 * the copy meanwhile.
 * @param replaced the current id of the copy
 * @returns null if the copy has another id, so that a repeated command changes nothing
 */
export async function startNewInstallation(
  { database, alertOperator }: Pick<PaymentDependencies, 'database' | 'alertOperator'>,
  replaced: string,
): Promise<NewInstallation | null> {
  const installationId = newId();
  const started = await runTransaction(database, async (transaction) => {
    if (!(await replaceInstallationId(transaction, { replaced, installationId }))) return null;
    const cause = { lastCause: 'new_installation', lastProviderEventId: null, updatedAt: sql`now()` };
    const cancelled = await transaction
      .update(payments)
      .set({ ...cause, status: 'cancelled' })
      .where(inArray(payments.status, [...openPaymentStatuses]))
      .returning({ id: payments.id });
    const rejected = await transaction
      .update(refunds)
      .set({ ...cause, status: 'rejected', failureReason: 'new_installation' })
      .where(inArray(refunds.status, ['awaiting_approval', 'approved']))
      .returning({ id: refunds.id });
    return {
      installationId,
      cancelledPayments: cancelled.length,
      rejectedRefunds: rejected.length,
    };
  });
  if (started) alertOperator('this database is a new installation', { ...started, replaced });
  return started;
}
