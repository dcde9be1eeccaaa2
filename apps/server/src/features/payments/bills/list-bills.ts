import type { Bill } from '@keyturn/contract';
import { londonDay } from '@keyturn/format/london-time';
import type { Clock } from '../../../platform/clock.ts';
import type { Connection } from '../../../platform/database.ts';
import type { PayableCases } from '../ports.ts';
import { grossOf, leftOf, paidOf, payableOf } from './bill-amounts.ts';
import { dueOf } from './bill-due.ts';
import { type BillWithPayments, findBillsOfCase } from './bills-store.ts';

/** Lists the bills of the client's active case, newest first. */
export async function listBills(
  { database, cases, clock }: { database: Connection; cases: PayableCases; clock: Clock },
  clientId: string,
): Promise<Bill[]> {
  const active = await cases.findActive(database, clientId);
  return active ? readBills(database, { caseId: active.id, now: clock() }) : [];
}

/** Reads the bills of a case, newest first. The caller checks that the client is on the case. */
export async function readBills(
  connection: Connection,
  { caseId, now }: { caseId: string; now: Date },
): Promise<Bill[]> {
  return (await findBillsOfCase(connection, caseId)).map((row) => toBill(row, londonDay(now)));
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
    net: bill.net,
    vat: bill.vat,
    gross: grossOf(bill),
    paid: paidOf(row),
    left: leftOf(row),
    payable: payableOf(row),
  };
}
