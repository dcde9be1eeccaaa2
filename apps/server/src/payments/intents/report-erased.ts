import { sql } from 'drizzle-orm';
import type { Connection } from '../../platform/database.ts';
import type { PaymentDependencies } from '../payment-dependencies.ts';
import { ignoreObject } from '../records/disputes-store.ts';

/**
 * Alerts the operator, once for each object, to disputes, early fraud warnings and reviews of an erased payment. Keyturn
 * has no record to show them with, and a dispute without an answer is lost.
 * @param reported.objectIds the provider's ids of what it reports
 * @returns false if no payment with this intent was erased; nothing was alerted then
 */
export async function reportErased(
  { provider, clock, alertOperator }: Pick<PaymentDependencies, 'provider' | 'clock' | 'alertOperator'>,
  connection: Connection,
  { intentId, objectIds }: { intentId: string; objectIds: string[] },
): Promise<boolean> {
  const { rows } = await connection.execute<{ payment: string; erasure: string }>(sql`
    select payment_id as payment, erasure_id as erasure from erased_payments
    where provider = ${provider.name} and provider_intent_id = ${intentId}`);
  const [erased] = rows;
  if (!erased) return false;
  for (const objectId of objectIds) {
    const isNew = await ignoreObject(connection, {
      provider: provider.name,
      objectId,
      ignoredAt: clock(),
    });
    if (isNew)
      alertOperator(
        'the provider reports a dispute, fraud warning or review of an erased payment: answer it at the provider',
        { ...erased, intent: intentId, reported: objectId },
      );
  }
  return true;
}
