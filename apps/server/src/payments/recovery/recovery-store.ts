import { openPaymentStatuses } from '@keyturn/contract';
import { and, asc, eq, gte, inArray, isNotNull, min } from 'drizzle-orm';
import type { Connection } from '../../platform/database.ts';
import { bills, payments } from '../../schema/tables/payment-tables.ts';
import { caseClients, caseSearches, matters } from '../../schema/tables/tables.ts';
import type { BillRow } from '../bills/bills-store.ts';
import type { PaymentRow } from '../records/rows.ts';

/** SQL for recovering payments. */

/** Finds every receipt number that a payment has. */
export async function findReceiptNumbers(connection: Connection): Promise<string[]> {
  const rows = await connection
    .select({ receiptNumber: payments.receiptNumber })
    .from(payments)
    .where(isNotNull(payments.receiptNumber));
  return rows.flatMap(({ receiptNumber }) => receiptNumber ?? []);
}

/** Finds when the oldest payment that can still be paid was started. @returns null if there is none */
export async function findStartOfOldestOpenPayment(connection: Connection): Promise<Date | null> {
  const [row] = await connection
    .select({ createdAt: min(payments.createdAt) })
    .from(payments)
    .where(inArray(payments.status, openPaymentStatuses));
  return row?.createdAt ?? null;
}

/** Finds the payments of a provider that were paid since a moment: they may have been refunded or disputed since the backup. */
export async function findPaymentsPaidSince(
  connection: Connection,
  { provider, since }: { provider: PaymentRow['provider']; since: Date },
): Promise<PaymentRow[]> {
  return connection
    .select()
    .from(payments)
    .where(
      and(eq(payments.provider, provider), isNotNull(payments.providerIntentId), gte(payments.paidAt, since)),
    )
    .orderBy(asc(payments.paidAt));
}

/** Finds the search that an intent made by an earlier version was to pay for, by its case and its name. */
export async function findSearchByName(
  connection: Connection,
  { caseId, name }: { caseId: string; name: string },
): Promise<string | undefined> {
  const rows = await connection
    .select({ id: caseSearches.id })
    .from(caseSearches)
    .innerJoin(matters, eq(matters.id, caseSearches.matterId))
    .where(and(eq(matters.caseId, caseId), eq(caseSearches.name, name)))
    .limit(2);
  // If two matters of a case have the same search, it is unknown which one was paid.
  return rows.length === 1 ? rows[0]?.id : undefined;
}

/** Finds the bill that a payment was for, by the number in the intent's description. */
export async function findBillByNumber(
  connection: Connection,
  { caseId, number }: { caseId: string; number: string },
): Promise<Pick<BillRow, 'id'> | undefined> {
  const [bill] = await connection
    .select({ id: bills.id })
    .from(bills)
    .where(and(eq(bills.caseId, caseId), eq(bills.number, number)));
  return bill;
}

/** Finds the first client of a case. */
export async function findFirstClient(connection: Connection, caseId: string): Promise<string | undefined> {
  const [row] = await connection
    .select({ id: caseClients.clientId })
    .from(caseClients)
    .where(eq(caseClients.caseId, caseId))
    .orderBy(asc(caseClients.clientId))
    .limit(1);
  return row?.id;
}
