import {
  type BillLine,
  type CaseSearchStatus,
  openPaymentStatuses,
  type PaymentMethod,
  type PaymentStatus,
} from '@keyturn/contract';
import { and, asc, desc, eq, gte, inArray, isNotNull, isNull, lt, ne, or, sql } from 'drizzle-orm';
import type { Connection } from '../../platform/database.ts';
import {
  bills,
  paymentChanges,
  payments,
  receiptCounters,
  refunds,
  type StoredPaymentLine,
} from '../../schema/tables/payment-tables.ts';
import { caseSearches } from '../../schema/tables/tables.ts';
import type { PaymentRow } from '../records/rows.ts';

/** The SQL of reconciliation. It only reads. */

export interface LedgerMismatch {
  id: string;
  status: PaymentStatus;
  /** Pence, according to the payment's row. */
  captured: number;
  /** Pence, according to the ledger. */
  ledgerTotal: number;
  /** The last status in the ledger; null if the payment is not in it. */
  ledgerStatus: PaymentStatus | null;
}

/** Finds the payments with a different total or final status in the ledger. */
export async function findLedgerMismatches(connection: Connection): Promise<LedgerMismatch[]> {
  const captured = sql<number>`case when ${payments.paidAt} is null then 0
    else ${payments.amount} - ${payments.refundedAmount} end`;
  const ledgerTotal = sql<number>`coalesce(sum(${paymentChanges.money}), 0)::int`;
  const ledgerStatus = sql<PaymentStatus | null>`(array_agg(${paymentChanges.toStatus} order by ${paymentChanges.id} desc))[1]`;
  return connection
    .select({ id: payments.id, status: payments.status, captured, ledgerTotal, ledgerStatus })
    .from(payments)
    .leftJoin(paymentChanges, eq(paymentChanges.paymentId, payments.id))
    .groupBy(payments.id)
    .having(or(sql`${captured} <> ${ledgerTotal}`, sql`${ledgerStatus} is distinct from ${payments.status}`))
    .orderBy(asc(payments.createdAt));
}

export interface SearchPayment {
  searchId: string;
  name: string;
  searchStatus: CaseSearchStatus;
  searchPaidAt: Date | null;
  paymentId: string;
  method: PaymentMethod;
  status: PaymentStatus;
  paidAt: Date | null;
  /** When the search was offered again after a full refund; otherwise null. */
  releasedAt: Date | null;
}

/** Finds every payment for a search, except cancelled payments, with its search. */
export async function findSearchPayments(connection: Connection): Promise<SearchPayment[]> {
  return connection
    .select({
      searchId: caseSearches.id,
      name: caseSearches.name,
      searchStatus: caseSearches.status,
      searchPaidAt: caseSearches.paidAt,
      paymentId: payments.id,
      method: payments.method,
      status: payments.status,
      paidAt: payments.paidAt,
      releasedAt: payments.searchReleasedAt,
    })
    .from(payments)
    .innerJoin(caseSearches, eq(caseSearches.id, payments.caseSearchId))
    .where(ne(payments.status, 'cancelled'))
    .orderBy(asc(payments.createdAt));
}

/** Finds every paid payment of a bill that was sent with lines. */
export async function findPaymentsOfLines(
  connection: Connection,
): Promise<{ id: string; number: string; lines: StoredPaymentLine[]; billLines: BillLine[] }[]> {
  const rows = await connection
    .select({ id: payments.id, number: bills.number, lines: payments.lines, billLines: bills.lines })
    .from(payments)
    .innerJoin(bills, eq(bills.id, payments.billId))
    .where(and(isNotNull(payments.paidAt), ne(payments.status, 'refunded'), isNotNull(bills.lines)))
    .orderBy(asc(payments.createdAt));
  return rows.map(({ billLines, ...row }) => ({ ...row, billLines: billLines ?? [] }));
}

/** Finds every payment that was paid or has a receipt number. */
export async function findPaidPayments(
  connection: Connection,
): Promise<{ id: string; receiptNumber: string | null }[]> {
  return connection
    .select({ id: payments.id, receiptNumber: payments.receiptNumber })
    .from(payments)
    .where(or(isNotNull(payments.paidAt), isNotNull(payments.receiptNumber)));
}

/** Reads the last receipt number of each year. */
export async function findReceiptCounters(connection: Connection): Promise<Map<number, number>> {
  const rows = await connection.select().from(receiptCounters).orderBy(asc(receiptCounters.year));
  return new Map(rows.map(({ year, last }) => [year, last]));
}

/** Finds the payments that are open or need manual review, oldest first. */
export async function findUnsettledPayments(connection: Connection): Promise<PaymentRow[]> {
  return connection
    .select()
    .from(payments)
    .where(or(inArray(payments.status, openPaymentStatuses), isNotNull(payments.reviewReason)))
    .orderBy(asc(payments.createdAt));
}

/** Finds the payments that were paid before a time, with money that has not cleared, oldest first. */
export async function findUnclearedPayments(
  connection: Connection,
  { paidBefore }: { paidBefore: Date },
): Promise<Pick<PaymentRow, 'id' | 'paidAt' | 'method'>[]> {
  return connection
    .select({ id: payments.id, paidAt: payments.paidAt, method: payments.method })
    .from(payments)
    .where(and(lt(payments.paidAt, paidBefore), isNull(payments.clearedAt), ne(payments.status, 'refunded')))
    .orderBy(asc(payments.paidAt));
}

/** Finds the payments that need manual review, the longest waiting first. */
export async function findPaymentsUnderReview(connection: Connection): Promise<PaymentRow[]> {
  return connection
    .select()
    .from(payments)
    .where(isNotNull(payments.reviewReason))
    .orderBy(asc(payments.updatedAt));
}

/** Finds the payments of a provider that were created since a date or belong to one of the given intents. */
export async function findPaymentsOfProvider(
  connection: Connection,
  query: { provider: PaymentRow['provider']; since: Date; paymentIds: string[]; intentIds: string[] },
): Promise<PaymentRow[]> {
  return connection
    .select()
    .from(payments)
    .where(
      and(
        eq(payments.provider, query.provider),
        or(
          gte(payments.createdAt, query.since),
          // Passed as arrays, because a statement can have at most 65,535 parameters.
          sql`${payments.id} = any(${sql.param(query.paymentIds)}::uuid[])`,
          sql`${payments.providerIntentId} = any(${sql.param(query.intentIds)}::text[])`,
        ),
      ),
    )
    .orderBy(desc(payments.createdAt));
}

/** Finds the requests for a refund that have waited since `before`: for a second person, or for the provider. */
export async function findWaitingRefunds(connection: Connection, { before }: { before: Date }) {
  return connection
    .select()
    .from(refunds)
    .where(and(inArray(refunds.status, ['awaiting_approval', 'approved']), lt(refunds.updatedAt, before)))
    .orderBy(asc(refunds.createdAt));
}

/** Finds the payments whose matter finance should have named before a day. */
export const findPaymentsWithoutMatter = (connection: Connection, { before }: { before: string }) =>
  connection
    .select({ id: payments.id, amount: payments.amount, paidAt: payments.paidAt })
    .from(payments)
    .where(
      and(
        isNull(payments.matterId),
        isNull(payments.billId),
        isNotNull(payments.paidAt),
        sql`awaits_matter(${payments}) and matter_due_on(${payments}) < ${before}::date`,
      ),
    )
    .orderBy(asc(payments.paidAt));
