import { openPaymentStatuses, type PaymentMethod } from '@keyturn/contract';
import { and, eq, inArray, or, sql } from 'drizzle-orm';
import type { Transaction } from '../../platform/database.ts';
import { payments } from '../../schema/tables/payment-tables.ts';

/** Locks the other payments of a case until the end of the transaction, so that the daily limit holds. */
export async function lockOtherPaymentsOfCase(transaction: Transaction, caseId: string): Promise<void> {
  await transaction.execute(
    sql`select pg_advisory_xact_lock(hashtextextended('other payments of ' || ${caseId}, 0))`,
  );
}

/**
 * Sums the other payments of a case by one method that count towards the limit of the day in London that contains `now`: those paid
 * on that day, and every open one, since it can still be paid on that day.
 * @returns pence
 */
export async function sumOtherPaymentsOfDay(
  transaction: Transaction,
  { caseId, method, now }: { caseId: string; method: PaymentMethod; now: Date },
): Promise<number> {
  const [row] = await transaction
    .select({ sum: sql<number>`coalesce(sum(${payments.amount}), 0)`.mapWith(Number) })
    .from(payments)
    .where(
      and(
        eq(payments.caseId, caseId),
        eq(payments.kind, 'other'),
        eq(payments.method, method),
        or(
          inArray(payments.status, openPaymentStatuses),
          sql`(${payments.paidAt} at time zone 'Europe/London')::date
            = (${now.toISOString()}::timestamptz at time zone 'Europe/London')::date`,
        ),
      ),
    );
  return row?.sum ?? 0;
}
