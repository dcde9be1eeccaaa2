import { openPaymentStatuses } from '@keyturn/contract';
import { and, eq, inArray, isNotNull, isNull, lte, ne, sql } from 'drizzle-orm';
import type { Connection } from '../../platform/database.ts';
import { payments, providerEvents } from '../../schema/tables/payment-tables.ts';
import { isOpenEvent } from './events-store.ts';
import type { PaymentRow } from './rows.ts';

/** SQL for the schedule of checks at the provider, and of the expiry of open payments. */

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

/** An intent that is due for a check. */
export interface IntentToCheck {
  intentId: string;
  /** The account that has it; null if it is not known. */
  accountId: string | null;
  /** The time of the last activity. */
  quietSince: Date;
  /** The day on which its money is expected to clear, if nothing else is pending. */
  clearsOn: string | null;
}

/**
 * Finds the intents that are due for a check, the longest due first: those of open payments, of payments with money
 * that has not cleared, and of open events. Intents of other accounts are left out, because the provider would not
 * find them.
 */
export async function findIntentsToCheck(
  connection: Connection,
  query: {
    provider: PaymentRow['provider'];
    /** The accounts with configured keys; null if unknown. */
    accountIds: string[] | null;
    now: Date;
    limit: number;
  },
): Promise<IntentToCheck[]> {
  const { rows } = await connection.execute<{
    intent_id: string;
    account_id: string | null;
    quiet_since: string;
    clears_on: string | null;
  }>(sql`
    select intent_id, max(account_id) as account_id, max(quiet_since) as quiet_since, max(clears_on)::text as clears_on
    from (
      select provider_intent_id as intent_id, provider_account_id as account_id, updated_at as quiet_since,
        next_check_at, clears_on from ${payments}
      where ${eq(payments.provider, query.provider)} and ${isNotNull(payments.providerIntentId)}
        and (${inArray(payments.status, openPaymentStatuses)} or ${waitsToClear})
        and ${lte(payments.nextCheckAt, query.now)}
        and (${isNull(payments.providerAccountId)} or ${sql.param(query.accountIds)}::text[] is null
          or ${payments.providerAccountId} = any(${sql.param(query.accountIds)}::text[]))
      union all
      select intent_id, null, received_at, next_check_at, null from ${providerEvents}
      where ${eq(providerEvents.provider, query.provider)} and ${isNotNull(providerEvents.intentId)}
        and ${isOpenEvent()} and ${lte(providerEvents.nextCheckAt, query.now)}
    ) as open
    group by intent_id order by min(next_check_at) limit ${query.limit}`);
  return rows.map((row) => ({
    intentId: row.intent_id,
    accountId: row.account_id,
    quietSince: new Date(row.quiet_since),
    clearsOn: row.clears_on,
  }));
}

/** Whether the money of a payment has not cleared yet. */
const waitsToClear = and(
  isNotNull(payments.paidAt),
  isNull(payments.clearedAt),
  ne(payments.status, 'refunded'),
);

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
