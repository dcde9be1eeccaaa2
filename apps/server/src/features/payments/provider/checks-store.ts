import { openPaymentStatuses } from '@keyturn/contract';
import { and, eq, inArray, isNotNull, lte, sql } from 'drizzle-orm';
import type { Connection } from '../../../platform/database.ts';
import { payments, providerEvents } from '../../../platform/payment-tables.ts';
import type { PaymentRow } from '../records/payment-row.ts';
import { isOpenEvent } from '../webhooks/events-store.ts';

/** SQL for the schedule by which the provider is asked about open payments, and by which they expire. */

/** Resets the expiry of an open payment that `payer` continues, and schedules its next check at `at`. */
export async function resetExpiry(
  connection: Connection,
  { id, at, payer }: { id: string; at: Date; payer: { clientId: string; address: string | undefined } },
): Promise<void> {
  await connection
    .update(payments)
    .set({
      updatedAt: sql`now()`,
      nextCheckAt: at,
      lastPayerId: payer.clientId,
      lastPayerAddress: payer.address ?? null,
    })
    .where(and(eq(payments.id, id), inArray(payments.status, openPaymentStatuses)));
}

/** An intent that is due for a check, and since when nothing has happened to it. */
export interface IntentToCheck {
  intentId: string;
  quietSince: Date;
}

/** Finds the intents of open payments and of open events that are due for a check, the longest due first. */
export async function findIntentsToCheck(
  connection: Connection,
  query: { provider: PaymentRow['provider']; now: Date; limit: number },
): Promise<IntentToCheck[]> {
  const { rows } = await connection.execute<{ intent_id: string; quiet_since: string }>(sql`
    select intent_id, max(quiet_since) as quiet_since
    from (
      select provider_intent_id as intent_id, updated_at as quiet_since, next_check_at from ${payments}
      where ${eq(payments.provider, query.provider)} and ${isNotNull(payments.providerIntentId)}
        and ${inArray(payments.status, openPaymentStatuses)} and ${lte(payments.nextCheckAt, query.now)}
      union all
      select intent_id, received_at, next_check_at from ${providerEvents}
      where ${eq(providerEvents.provider, query.provider)} and ${isNotNull(providerEvents.intentId)}
        and ${isOpenEvent()} and ${lte(providerEvents.nextCheckAt, query.now)}
    ) as open
    group by intent_id order by min(next_check_at) limit ${query.limit}`);
  return rows.map((row) => ({ intentId: row.intent_id, quietSince: new Date(row.quiet_since) }));
}

/**
 * Finds the payments, with or without an intent, that have been waiting for their payer since `quietBefore` and are due
 * for a check, the longest due first.
 */
export async function findPaymentsToExpire(
  connection: Connection,
  query: { provider: PaymentRow['provider']; now: Date; quietBefore: Date; limit: number },
): Promise<PaymentRow[]> {
  return connection
    .select()
    .from(payments)
    .where(
      and(
        eq(payments.provider, query.provider),
        inArray(payments.status, ['requires_payment_method', 'requires_action']),
        lte(payments.updatedAt, query.quietBefore),
        lte(payments.nextCheckAt, query.now),
      ),
    )
    .orderBy(payments.nextCheckAt)
    .limit(query.limit);
}

/** Schedules the next check of an open payment. */
export async function scheduleNextCheck(
  connection: Connection,
  { id, at }: { id: string; at: Date },
): Promise<void> {
  await connection
    .update(payments)
    .set({ nextCheckAt: at })
    .where(and(eq(payments.id, id), inArray(payments.status, openPaymentStatuses)));
}

/** Schedules the next check of an intent, for its payment and for its open events. */
export async function scheduleNextIntentCheck(
  connection: Connection,
  { provider, intentId, at }: { provider: PaymentRow['provider']; intentId: string; at: Date },
): Promise<void> {
  await connection
    .update(payments)
    .set({ nextCheckAt: at })
    .where(and(eq(payments.provider, provider), eq(payments.providerIntentId, intentId)));
  await connection
    .update(providerEvents)
    .set({ nextCheckAt: at })
    .where(and(eq(providerEvents.provider, provider), eq(providerEvents.intentId, intentId), isOpenEvent()));
}
