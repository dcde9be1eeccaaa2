import { openPaymentStatuses } from '@keyturn/contract';
import { and, eq, inArray, type SQL, sql } from 'drizzle-orm';
import type { Connection, Transaction } from '../../platform/database.ts';
import { prepareSql } from '../../platform/prepared-statement.ts';
import { jsonList, literals } from '../../platform/reads/contract-json.ts';
import { versionOf } from '../../platform/reads/record-version.ts';
import { bills, type StoredPaymentLine } from '../../schema/tables/payment-tables.ts';

export type BillRow = Omit<typeof bills.$inferSelect, 'feedHash' | 'feedSentAt'> & { version: string };

/** A bill with the sums of its payments, in pence. */
export interface BillWithPayments {
  bill: BillRow;
  /** The paid amount, less refunds. */
  paidByCard: number;
  /** The amount of payments that are neither paid nor cancelled. */
  open: number;
  /** The part of the open payments that a bank is confirming or that is under review. */
  underWay: number;
  /** Each of these payments with its lines and its refunds that have not failed, oldest first. */
  payments: {
    amount: number;
    lines: StoredPaymentLine[];
    refunds: { amount: number; office: number | null }[];
  }[];
  /** Whether everyone on the case can open its document. */
  hasDocument: boolean;
  /** The days on which its matter completed or is planned to complete; null without one. */
  completedOn: string | null;
  targetCompletionOn: string | null;
}

/** A bill with its payments as JSON, in which dates are text. */
export type StoredBill = Omit<BillWithPayments, 'bill'> & {
  bill: Omit<BillRow, 'createdAt' | 'updatedAt'> & { createdAt: string; updatedAt: string };
};

/** Writes the refunds of a payment that have not failed as JSON, oldest first. @param payment the name of its row */
export const madeRefunds = (payment: string): SQL =>
  sql`(select coalesce(json_agg(json_build_object('amount', refund.amount, 'office', refund.office)
      order by refund.created_at, refund.id), '[]')
    from refunds refund where refund.payment_id = ${sql.raw(payment)}.id and refund.status in ('pending', 'requires_action', 'succeeded'))`;

/** Writes bills with their payments as JSON, the newest first. @param condition on `bill` */
const billsWhere = (condition: SQL): SQL =>
  jsonList(
    sql`json_build_object(
      'bill', json_build_object('id', bill.id, 'reference', bill.reference, 'version', ${versionOf('bill')}, 'caseId', bill.case_id, 'matterId', bill.matter_id,
        'number', bill.number, 'description', bill.description, 'issuedOn', bill.issued_on, 'dueOn', bill.due_on,
        'dueOnCompletion', bill.due_on_completion, 'net', bill.net, 'vatRate', bill.vat_rate, 'vat', bill.vat,
        'lines', bill.lines, 'estimate', bill.estimate, 'aboveEstimate', bill.above_estimate,
        'documentId', bill.document_id, 'status', bill.status, 'paidOtherwise', bill.paid_otherwise,
        'createdAt', bill.created_at, 'updatedAt', bill.updated_at),
      'paidByCard', paid.by_card, 'open', paid.open, 'underWay', paid.under_way, 'payments', paid.each,
      'hasDocument', exists (
        select from documents document where document.id = bill.document_id and is_shown_to(document, null)),
      'completedOn', matter.completed_on, 'targetCompletionOn', matter.target_completion_on)`,
    {
      query: sql`
        from bills bill
        left join matters matter on matter.id = bill.matter_id
        cross join lateral (
          select coalesce(sum(amount - refunded_amount) filter (where paid_at is not null), 0) as by_card,
            coalesce(sum(amount) filter (where status in (${literals(openPaymentStatuses)})), 0) as open,
            coalesce(sum(amount) filter (where paid_at is null
              and (status = 'processing' or review_reason is not null)), 0) as under_way,
            coalesce(json_agg(json_build_object('amount', amount, 'lines', lines, 'refunds', ${madeRefunds('payments')}) order by created_at)
              filter (where status <> 'cancelled'), '[]') as each
          from payments where bill_id = bill.id) paid
        where ${condition}`,
      order: sql`bill.issued_on desc, bill.number desc`,
    },
  );

/** Writes the bills of a case that were not cancelled, as JSON, the newest first. */
export const billsOf = (caseId: SQL): SQL =>
  billsWhere(sql`bill.case_id = ${caseId} and bill.status = 'issued'`);

export const toBillWithPayments = ({ bill, ...payments }: StoredBill): BillWithPayments => ({
  ...payments,
  bill: { ...bill, createdAt: new Date(bill.createdAt), updatedAt: new Date(bill.updatedAt) },
});

const selectBills = (name: string, condition: SQL) =>
  prepareSql<{ bills: StoredBill[] }, { id: string }>(
    name,
    () => sql`select ${billsWhere(condition)} as bills`,
  );

const selectBillsOfCase = selectBills(
  'find_bills_of_case',
  sql`bill.case_id = ${sql.placeholder('id')} and bill.status = 'issued'`,
);
const selectBill = selectBills('find_bill', sql`bill.id = ${sql.placeholder('id')}`);

/** Finds the bills of a case that were not cancelled, newest first. */
export const findBillsOfCase = async (connection: Connection, caseId: string): Promise<BillWithPayments[]> =>
  (await selectBillsOfCase(connection, { id: caseId })).rows.flatMap((row) =>
    row.bills.map(toBillWithPayments),
  );

/** Finds a bill; undefined for an unknown id. */
export const findBill = async (connection: Connection, id: string): Promise<BillWithPayments | undefined> =>
  (await selectBill(connection, { id })).rows.flatMap((row) => row.bills.map(toBillWithPayments))[0];

/** Finds the numbers of these bills. Most payments have none, which costs no statement. */
export async function findBillNumbers(
  connection: Connection,
  ids: readonly string[],
): Promise<{ id: string; number: string }[]> {
  if (ids.length === 0) return [];
  return connection
    .select({ id: bills.id, number: bills.number })
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
  const locked = await transaction
    .select({ id: bills.id })
    .from(bills)
    .where(and(eq(bills.id, billId), eq(bills.caseId, caseId)))
    .for('update');
  // Read after the lock, to include payments that were committed meanwhile.
  return locked.length > 0 ? findBill(transaction, billId) : undefined;
}
