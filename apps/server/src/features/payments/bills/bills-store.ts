import { openPaymentStatuses } from '@keyturn/contract';
import { and, desc, eq, inArray, sql } from 'drizzle-orm';
import type { Connection, Transaction } from '../../../platform/database.ts';
import { bills, payments } from '../../../platform/tables/payment-tables.ts';
import { matters } from '../../../platform/tables/tables.ts';

export type BillRow = typeof bills.$inferSelect;

/** A bill with what its payments by card come to; pence. */
export interface BillWithPayments {
  bill: BillRow;
  /** Paid, less refunds. */
  paidByCard: number;
  /** In payments that are neither paid nor cancelled. */
  open: number;
  /** The part of the open payments that a bank is confirming or that is under review. */
  underWay: number;
  /** The days that its matter completed or is planned to; null without one. */
  completedOn: string | null;
  targetCompletionOn: string | null;
}

const paidByCard = sql<number>`coalesce(sum(${payments.amount} - ${payments.refundedAmount})
  filter (where ${payments.paidAt} is not null), 0)::int`;
const open = sql<number>`coalesce(sum(${payments.amount})
  filter (where ${payments.status} = any(${sql.param([...openPaymentStatuses])}::text[])), 0)::int`;

const underWay = sql<number>`coalesce(sum(${payments.amount}) filter (where ${payments.paidAt} is null
  and (${payments.status} = 'processing' or ${payments.reviewReason} is not null)), 0)::int`;

const selectBills = (connection: Connection) =>
  connection
    .select({
      bill: bills,
      paidByCard,
      open,
      underWay,
      completedOn: matters.completedOn,
      targetCompletionOn: matters.targetCompletionOn,
    })
    .from(bills)
    .leftJoin(payments, eq(payments.billId, bills.id))
    .leftJoin(matters, eq(matters.id, bills.matterId))
    .groupBy(bills.id, matters.id);

/** Finds the bills of a case that were not cancelled, newest first. */
export const findBillsOfCase = (connection: Connection, caseId: string): Promise<BillWithPayments[]> =>
  selectBills(connection)
    .where(and(eq(bills.caseId, caseId), eq(bills.status, 'issued')))
    .orderBy(desc(bills.issuedOn), desc(bills.number));

/** Finds a bill; undefined for an unknown id. */
export const findBill = async (connection: Connection, id: string): Promise<BillWithPayments | undefined> =>
  (await selectBills(connection).where(eq(bills.id, id)))[0];

/** Finds the numbers of these bills. Most payments have none, which costs no statement. */
export async function findBillNumbers(
  connection: Connection,
  ids: readonly string[],
): Promise<{ id: string; number: string; issuedOn: string }[]> {
  if (ids.length === 0) return [];
  return connection
    .select({ id: bills.id, number: bills.number, issuedOn: bills.issuedOn })
    .from(bills)
    .where(inArray(bills.id, [...ids]));
}

/**
 * Locks a bill of a case until the end of the transaction.
 * @returns undefined if the case has no such bill
 */
export async function lockBillOfCase(
  transaction: Transaction,
  { billId, caseId }: { billId: string; caseId: string },
): Promise<BillWithPayments | undefined> {
  const isBill = and(eq(bills.id, billId), eq(bills.caseId, caseId));
  // Apart from its sums: a lock does not go with grouping.
  await transaction.select({ id: bills.id }).from(bills).where(isBill).for('update');
  const [row] = await selectBills(transaction).where(isBill);
  return row;
}
