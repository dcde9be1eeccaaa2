import { and, eq, isNull, lte, or, sql } from 'drizzle-orm';
import type { Clock } from '../../platform/clock.ts';
import type { Connection } from '../../platform/database.ts';
import { prepareSql, prepareStatement } from '../../platform/prepared-statement.ts';
import { payments, providerEvents } from '../../schema/tables/payment-tables.ts';
import type { ProviderEvent } from '../ports/provider.ts';
import { findPaymentOfIntent } from './intents-store.ts';
import type { PaymentRow } from './rows.ts';

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
  const { rows } = await insertEvent(connection, {
    provider,
    eventId: event.id,
    type: event.type,
    intentId: event.intentId,
    body: JSON.stringify(event.body),
    receivedAt,
  });
  // Without a row, a concurrent request has just stored the event, and it is not processed yet.
  const [row] = rows;
  return { outcome: row?.outcome ?? undefined, isNew: row?.is_new ?? false };
}

const insertEvent = prepareSql<
  { outcome: (typeof providerEvents.$inferSelect)['outcome']; is_new: boolean },
  {
    provider: string;
    eventId: string;
    type: string;
    intentId: string | null;
    body: string;
    receivedAt: Date;
  }
>(
  'store_provider_event',
  () => sql`
    with stored as (
      insert into provider_events (provider, event_id, type, intent_id, body, received_at, next_check_at)
      values (${sql.placeholder('provider')}, ${sql.placeholder('eventId')}, ${sql.placeholder('type')},
        ${sql.placeholder('intentId')}, ${sql.placeholder('body')}::jsonb,
        ${sql.placeholder('receivedAt')}::timestamptz, ${sql.placeholder('receivedAt')}::timestamptz)
      on conflict do nothing returning outcome
    )
    select outcome, true as is_new from stored
    union all
    select outcome, false from ${providerEvents}
    where provider = ${sql.placeholder('provider')} and event_id = ${sql.placeholder('eventId')}`,
);

/** Closes every open event of an intent, because the state that was just applied is newer than all of them. */
export async function closeEvents(
  connection: Connection,
  query: { provider: PaymentRow['provider']; intentId: string; receivedUntil: Date },
  outcome: NonNullable<(typeof providerEvents.$inferSelect)['outcome']>,
): Promise<void> {
  await updateOpenEvents(connection, { ...query, outcome });
}

const updateOpenEvents = prepareStatement('close_provider_events', (builder) =>
  builder
    .update(providerEvents)
    .set({ outcome: sql`${sql.placeholder('outcome')}`, appliedAt: sql`now()` })
    .where(
      and(
        eq(providerEvents.provider, sql.placeholder('provider')),
        eq(providerEvents.intentId, sql.placeholder('intentId')),
        lte(providerEvents.receivedAt, sql.placeholder('receivedUntil')),
        isOpenEvent(),
      ),
    ),
);

/** Closes an event that is not about a payment. */
export async function ignoreEvent(connection: Connection, provider: PaymentRow['provider'], eventId: string) {
  await connection
    .update(providerEvents)
    .set({ outcome: 'ignored', appliedAt: sql`now()` })
    .where(and(eq(providerEvents.provider, provider), eq(providerEvents.eventId, eventId)));
}

/**
 * Counts the payments that were paid in a period, and those of them whose success no event has reported. Recovered
 * payments do not count, because their events arrived before the restore.
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

/**
 * Closes the events of an intent that exists neither at the provider nor in a payment.
 * @returns false if a payment has the intent
 */
export async function ignoreUnknownIntent(
  {
    database,
    provider,
    clock,
  }: {
    database: Connection;
    provider: { name: PaymentRow['provider'] };
    clock: Clock;
  },
  intentId: string,
): Promise<boolean> {
  const query = { provider: provider.name, intentId };
  if (await findPaymentOfIntent(database, { ...query, paymentId: null })) return false;
  await closeEvents(database, { ...query, receivedUntil: clock() }, 'ignored');
  return true;
}
