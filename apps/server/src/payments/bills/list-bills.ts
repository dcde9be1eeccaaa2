import type { Bill } from '@keyturn/contract';
import type { DeskBill } from '@keyturn/contract/staff';
import { londonDay } from '@keyturn/format/london-time';
import { sql } from 'drizzle-orm';
import { linesOf } from '../../case-file/bills/bill-lines.ts';
import type { Clock } from '../../platform/clock.ts';
import { type ClientRead, defineRead } from '../../platform/reads/client-read.ts';
import { billLines, grossOf, leftOf, paidOf, payableOf } from './bill-amounts.ts';
import { dueOf } from './bill-due.ts';
import { type BillWithPayments, billsOf, type StoredBill, toBillWithPayments } from './bills-store.ts';

/** Creates the read of the bills of the client's active case, newest first. */
export function createBillsRead({ clock }: { clock: Clock }): () => ClientRead<Bill[]> {
  const read = defineRead<StoredBill[] | null, Bill[], object>({
    name: 'read_bills',
    select: (_client, shownCase) => sql`(
      select ${billsOf(sql`active_case.id`)} from ${shownCase} active_case)`,
    toAnswer: (stored) => {
      const today = londonDay(clock());
      return (stored ?? []).map((bill) => toBill(toBillWithPayments(bill), today));
    },
  });
  return () => read({});
}

/** Converts a bill to the contract's form. @param today in London */
export function toBill(row: BillWithPayments, today: string): Bill {
  const { bill } = row;
  return {
    id: bill.id,
    created_at: bill.createdAt.toISOString(),
    updated_at: bill.updatedAt.toISOString(),
    matter_id: bill.matterId,
    number: bill.number,
    description: bill.description,
    issued_on: bill.issuedOn,
    ...dueOf(row, today),
    lines: linesOf(bill),
    document_id: row.hasDocument ? bill.documentId : null,
    net: bill.net,
    vat: bill.vat,
    gross: grossOf(bill),
    estimate: bill.estimate,
    above_estimate: bill.aboveEstimate,
    paid: paidOf(row),
    left: leftOf(row),
    payable: payableOf(row),
    // Every payment pays client money first.
    pays_client_money: payableOf(row) > 0 && billLines(row, 1).some((line) => line.client_money),
  };
}

/** Converts a bill to what staff read of it. @param today in London */
export const toDeskBill = (row: BillWithPayments, today: string): DeskBill => ({
  ...toBill(row, today),
  reference: row.bill.reference,
  version: row.bill.version,
  lines_fixed_by:
    row.open > 0 ? 'open' : row.payments.length > 0 || row.bill.paidOtherwise > 0 ? 'paid' : null,
});
