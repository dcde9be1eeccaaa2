import { and, eq, isNull, lte, or, sql } from 'drizzle-orm';
import type { Connection } from '../../../platform/database.ts';
import { providerEvents } from '../../../platform/payment-tables.ts';
import type { ProviderEvent } from '../ports.ts';
import type { PaymentRow } from '../records/payment-row.ts';

/** The SQL of what providers have said. */

/**
 * Stores what a provider said, once.
 * @returns how an earlier copy of it ended, undefined where it is not yet done; and whether this is the first
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

/** Closes every open event of an intent: the state that was just applied is newer than all of them. */
export async function closeEvents(
  connection: Connection,
  of: { provider: PaymentRow['provider']; intentId: string; receivedUntil: Date },
  outcome: NonNullable<(typeof providerEvents.$inferSelect)['outcome']>,
): Promise<void> {
  await connection
    .update(providerEvents)
    .set({ outcome, appliedAt: sql`now()` })
    .where(
      and(
        eq(providerEvents.provider, of.provider),
        eq(providerEvents.intentId, of.intentId),
        lte(providerEvents.receivedAt, of.receivedUntil),
        isOpenEvent(),
      ),
    );
}

export async function ignoreEvent(connection: Connection, provider: PaymentRow['provider'], eventId: string) {
  await connection
    .update(providerEvents)
    .set({ outcome: 'ignored', appliedAt: sql`now()` })
    .where(and(eq(providerEvents.provider, provider), eq(providerEvents.eventId, eventId)));
}

/** Not acted on yet, or of a payment that is not there yet. */
export const isOpenEvent = () => or(isNull(providerEvents.outcome), eq(providerEvents.outcome, 'unmatched'));
