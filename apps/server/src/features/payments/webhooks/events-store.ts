import { and, eq, isNull, lte, or, sql } from 'drizzle-orm';
import type { Connection } from '../../../platform/database.ts';
import { providerEvents } from '../../../platform/payment-tables.ts';
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

/** Selects events that are not processed yet, or whose payment does not exist yet. */
export const isOpenEvent = () => or(isNull(providerEvents.outcome), eq(providerEvents.outcome, 'unmatched'));
