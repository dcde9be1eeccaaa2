import { and, eq, isNull, lte, or, sql } from 'drizzle-orm';
import type { Connection } from '../../../platform/database.ts';
import { payments, providerEvents } from '../../../platform/tables/payment-tables.ts';
import type { ProviderEvent } from '../ports.ts';
import type { PaymentRow } from '../records/payment-row.ts';

/** SQL for the events that providers have sent. */

/**
 * Stores a provider's event, unless it is stored already.
 * @returns the outcome of the stored event, undefined if it is not processed yet; and whether this call stored it
 */
export async function storeEvent(
  connection: Connection,
  provider: PaymentRow['provider'],
  event: ProviderEvent,
  receivedAt: Date,
) {
  const { rowCount } = await connection
    .insert(providerEvents)
    .values({
      provider,
      eventId: event.id,
      type: event.type,
      intentId: event.intentId,
      body: event.body,
      receivedAt,
      nextCheckAt: receivedAt,
    })
    .onConflictDoNothing();
  const [row] = await connection
    .select({ outcome: providerEvents.outcome })
    .from(providerEvents)
    .where(and(eq(providerEvents.provider, provider), eq(providerEvents.eventId, event.id)));
  return { outcome: row?.outcome ?? undefined, isNew: rowCount === 1 };
}

/** Closes every open event of an intent: the state that was just applied is newer than all of these events. */
export async function closeEvents(
  connection: Connection,
  query: { provider: PaymentRow['provider']; intentId: string; receivedUntil: Date },
  outcome: NonNullable<(typeof providerEvents.$inferSelect)['outcome']>,
): Promise<void> {
  await connection
    .update(providerEvents)
    .set({ outcome, appliedAt: sql`now()` })
    .where(
      and(
        eq(providerEvents.provider, query.provider),
        eq(providerEvents.intentId, query.intentId),
        lte(providerEvents.receivedAt, query.receivedUntil),
        isOpenEvent(),
      ),
    );
}

/** Closes an event that is not about a payment. */
export async function ignoreEvent(connection: Connection, provider: PaymentRow['provider'], eventId: string) {
  await connection
    .update(providerEvents)
    .set({ outcome: 'ignored', appliedAt: sql`now()` })
    .where(and(eq(providerEvents.provider, provider), eq(providerEvents.eventId, eventId)));
}

/**
 * Counts the payments that were paid in a period, and those of them whose success no event has reported. Payments that
 * were put back after a restore do not count: their events came before.
 */
export async function countPaidWithoutWebhook(
  connection: Connection,
  { provider, from, until }: { provider: PaymentRow['provider']; from: Date; until: Date },
): Promise<{ missing: number; paid: number }> {
  const { rows } = await connection.execute<{ missing: number; paid: number }>(sql`
    select count(*)::int as paid, (count(*) filter (where not exists (
      select from ${providerEvents} as event
      where event.provider = payment.provider and event.intent_id = payment.provider_intent_id
        and event.type = 'payment_intent.succeeded')))::int as missing
    from ${payments} as payment
    where payment.provider = ${provider} and payment.paid_at >= ${from} and payment.paid_at < ${until}
      and not exists (
        select from payment_changes as change where change.payment_id = payment.id and change.cause = 'recovered')`);
  return rows[0] ?? { missing: 0, paid: 0 };
}

/** Selects events that are not processed yet, or whose payment does not exist yet. */
export const isOpenEvent = () => or(isNull(providerEvents.outcome), eq(providerEvents.outcome, 'unmatched'));
