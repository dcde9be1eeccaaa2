import type { Bill } from '@keyturn/contract';
import type { Connection } from '../../../platform/database.ts';
import type { PayableCases } from '../ports.ts';
import { grossOf, paidOf, payableOf } from './bill-amounts.ts';
import { type BillWithPayments, findBillsOfCase } from './bills-store.ts';

/** Lists the bills of the client's active case, newest first. */
export async function listBills(
  { database, cases }: { database: Connection; cases: PayableCases },
  clientId: string,
): Promise<Bill[]> {
  const active = await cases.findActive(database, clientId);
  return active ? (await findBillsOfCase(database, active.id)).map(toBill) : [];
}

function toBill(row: BillWithPayments): Bill {
  const { bill } = row;
  return {
    id: bill.id,
    created_at: bill.createdAt.toISOString(),
    updated_at: bill.updatedAt.toISOString(),
    matter_id: bill.matterId,
    number: bill.number,
    description: bill.description,
    issued_on: bill.issuedOn,
    net: bill.net,
    vat: bill.vat,
    gross: grossOf(bill),
    paid: paidOf(row),
    payable: payableOf(row),
  };
}
