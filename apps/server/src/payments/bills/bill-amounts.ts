import { linesOf } from '../../case-file/bills/bill-lines.ts';
import type { StoredPaymentLine } from '../../schema/tables/payment-tables.ts';
import { linesOfBill, partsAfter } from '../records/money-parts.ts';
import { allocate, allocateParts, type MoneyPart } from './allocate.ts';
import type { BillRow, BillWithPayments } from './bills-store.ts';

export const grossOf = ({ net, vat }: Pick<BillRow, 'net' | 'vat'>): number => net + vat;

/** Returns the pence that have been paid towards a bill, by card and by other means. */
export const paidOf = ({ bill, paidByCard }: BillWithPayments): number => paidByCard + bill.paidOtherwise;

/** Returns the amount, in pence, that a new payment may pay: neither paid nor in an open payment. */
export const payableOf = (bill: BillWithPayments): number =>
  bill.bill.status === 'issued' ? Math.max(0, grossOf(bill.bill) - paidOf(bill) - bill.open) : 0;

/** Returns the amount left to pay, in pence, less payments that are on their way. */
export const leftOf = (bill: BillWithPayments): number =>
  Math.max(0, grossOf(bill.bill) - paidOf(bill) - bill.underWay);

/**
 * Whether the open payments do not exceed the bill: it was not cancelled or paid by other means after they were
 * started.
 */
export const coversOpenPayments = (bill: BillWithPayments): boolean =>
  bill.bill.status === 'issued' && paidOf(bill) + bill.open <= grossOf(bill.bill);

/**
 * Returns the lines of a payment of a bill: the part that it pays of each line, to the penny. The last payment pays what is
 * left of each, so that the net amounts and the VAT of all payments are those of the bill.
 * @param found the bill before the payment
 * @param amount pence
 */
export function billLines(found: BillWithPayments, amount: number): StoredPaymentLine[] {
  const { bill } = found;
  const left = leftOfLines(found);
  const forBill = Math.min(amount, sumOf(left));
  const parts = allocate(forBill, left);
  const lines = linesOf(bill).flatMap((line, index): StoredPaymentLine[] => {
    const { gross, vat } = parts[index] ?? { gross: 0, vat: 0 };
    if (gross === 0) return [];
    return [
      {
        text: `Bill ${bill.number}: ${line.description}`,
        net: gross - vat,
        vat_rate: line.vat_rate,
        vat,
        gross,
        client_money: line.money === 'client',
        bill_line: index,
      },
    ];
  });
  const surplus = amount - forBill;
  return surplus === 0 ? lines : [...lines, surplusLine(bill.number, surplus)];
}

/** More than a bill can only have been paid at the provider, and is the client's until the firm pays it back. */
const surplusLine = (number: string, amount: number): StoredPaymentLine => ({
  text: `More than was left of bill ${number}`,
  net: amount,
  vat_rate: 0,
  vat: 0,
  gross: amount,
  client_money: true,
});

/** Returns what no payment has paid of each line of a bill. */
function leftOfLines({ bill, payments }: BillWithPayments): MoneyPart[] {
  const lines = linesOf(bill).map(({ net, vat, money }) => ({
    gross: net + vat,
    vat,
    isClientMoney: money === 'client',
  }));
  const left = lines.map((line) => ({ ...line }));
  const subtract = (index: number, { gross, vat }: Pick<MoneyPart, 'gross' | 'vat'>) => {
    const line = left[index];
    if (!line) return;
    line.gross -= gross;
    line.vat -= vat;
  };
  for (const [index, part] of allocate(Math.min(bill.paidOtherwise, sumOf(lines)), lines).entries())
    subtract(index, part);
  for (const { amount, refunds, lines: all } of payments) {
    const paid = linesOfBill(all);
    const parts = paid.map(({ gross, vat, client_money }) => ({ gross, vat, isClientMoney: client_money }));
    const sum = (isClients: boolean) =>
      sumOf(parts.filter(({ isClientMoney }) => isClientMoney === isClients));
    const kept = partsAfter(all, amount, refunds);
    // What is above the bill is left out.
    const forBill = { client: Math.min(kept.client, sum(true)), office: Math.min(kept.office, sum(false)) };
    // Payments that servers of 0.2 started name no line.
    for (const [index, part] of allocateParts(forBill, parts).entries())
      subtract(paid[index]?.bill_line ?? 0, part);
  }
  // What was paid twice of one line, by other means and here, pays the others.
  const open = left.map(({ gross, vat, isClientMoney }) => ({
    gross: Math.max(0, gross),
    vat: Math.min(Math.max(0, vat), Math.max(0, gross)),
    isClientMoney,
  }));
  const twice = sumOf(open) - Math.max(0, sumOf(left));
  const parts = allocate(twice, open);
  return open.map((line, index) => ({
    ...line,
    gross: line.gross - (parts[index]?.gross ?? 0),
    vat: line.vat - (parts[index]?.vat ?? 0),
  }));
}

const sumOf = (parts: readonly MoneyPart[]) => parts.reduce((sum, { gross }) => sum + gross, 0);
