import type { CaseSearchStatus, PaymentStatus } from '@keyturn/contract';
import { and, asc, desc, eq, gte, inArray, isNotNull, ne, or, sql } from 'drizzle-orm';
import type { Connection } from '../../../platform/database.ts';
import { paymentChanges, payments, receiptCounters } from '../../../platform/payment-tables.ts';
import { caseSearches } from '../../../platform/tables.ts';
import type { PaymentRow } from '../records/payment-row.ts';

/** The SQL of the check of payments. It reads alone. */

export interface RecordDifference {
  id: string;
  status: PaymentStatus;
  /** Pence, by the payment, and by its record. */
  taken: number;
  recorded: number;
  recordedStatus: PaymentStatus | null;
}

/** The payments whose record comes to other money, or ends in another state. */
export async function findRecordDifferences(connection: Connection): Promise<RecordDifference[]> {
  const taken = sql<number>`case when ${payments.paidAt} is null then 0
    else ${payments.amount} - ${payments.refundedAmount} end`;
  const recorded = sql<number>`coalesce(sum(${paymentChanges.money}), 0)::int`;
  const last = sql<PaymentStatus | null>`(array_agg(${paymentChanges.toStatus} order by ${paymentChanges.id} desc))[1]`;
  return connection
    .select({ id: payments.id, status: payments.status, taken, recorded, recordedStatus: last })
    .from(payments)
    .leftJoin(paymentChanges, eq(paymentChanges.paymentId, payments.id))
    .groupBy(payments.id)
    .having(or(sql`${taken} <> ${recorded}`, sql`${last} is distinct from ${payments.status}`))
    .orderBy(asc(payments.createdAt));
}

export interface SearchOfPayment {
  searchId: string;
  name: string;
  searchStatus: CaseSearchStatus;
  searchPaidAt: Date | null;
  paymentId: string;
  status: PaymentStatus;
  paidAt: Date | null;
}

/** Every payment for a search that was not cancelled, with its search. */
export async function findSearchesOfPayments(connection: Connection): Promise<SearchOfPayment[]> {
  return connection
    .select({
      searchId: caseSearches.id,
      name: caseSearches.name,
      searchStatus: caseSearches.status,
      searchPaidAt: caseSearches.paidAt,
      paymentId: payments.id,
      status: payments.status,
      paidAt: payments.paidAt,
    })
    .from(payments)
    .innerJoin(caseSearches, eq(caseSearches.id, payments.caseSearchId))
    .where(ne(payments.status, 'cancelled'))
    .orderBy(asc(payments.createdAt));
}

/** Every payment that was made, or has a receipt number. */
export async function findTakenPayments(
  connection: Connection,
): Promise<{ id: string; receiptNumber: string | null }[]> {
  return connection
    .select({ id: payments.id, receiptNumber: payments.receiptNumber })
    .from(payments)
    .where(or(isNotNull(payments.paidAt), isNotNull(payments.receiptNumber)));
}

/** The last number given, by year. */
export async function findReceiptCounters(connection: Connection): Promise<Map<number, number>> {
  const rows = await connection.select().from(receiptCounters).orderBy(asc(receiptCounters.year));
  return new Map(rows.map(({ year, last }) => [year, last]));
}

/** Payments that are open, or that a person has to look at; the oldest first. */
export async function findNeglectedPayments(connection: Connection): Promise<PaymentRow[]> {
  return connection
    .select()
    .from(payments)
    .where(or(inArray(payments.status, openStatuses), isNotNull(payments.reviewReason)))
    .orderBy(asc(payments.createdAt));
}

/** Payments that a person has to look at, the longest waiting first. */
export async function findPaymentsUnderReview(connection: Connection): Promise<PaymentRow[]> {
  return connection
    .select()
    .from(payments)
    .where(isNotNull(payments.reviewReason))
    .orderBy(asc(payments.updatedAt));
}

/** The payments of a provider that began since then, or that some of its intents are for. */
export async function findPaymentsOfProvider(
  connection: Connection,
  of: { provider: PaymentRow['provider']; since: Date; paymentIds: string[]; intentIds: string[] },
): Promise<PaymentRow[]> {
  return connection
    .select()
    .from(payments)
    .where(
      and(
        eq(payments.provider, of.provider),
        or(
          gte(payments.createdAt, of.since),
          inArray(payments.id, of.paymentIds),
          inArray(payments.providerIntentId, of.intentIds),
        ),
      ),
    )
    .orderBy(desc(payments.createdAt));
}

const openStatuses: PaymentStatus[] = ['requires_payment_method', 'requires_action', 'processing'];
