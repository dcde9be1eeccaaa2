import type { PaymentLine } from '@keyturn/contract';
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
 * Returns the line of a payment of a bill. A part of the bill contains what its share of the VAT, to the penny, adds to the
 * parts before it, so that the VAT of all parts is that of the bill.
 * @param found the bill before the payment
 * @param amount pence
 */
export function billLine(found: BillWithPayments, amount: number): PaymentLine {
  const { bill, open, vatOfPayments } = found;
  const shareOf = (pence: number) => Math.round((bill.vat * pence) / grossOf(bill));
  const share = shareOf(paidOf(found) + open + amount) - shareOf(bill.paidOtherwise) - vatOfPayments;
  const vat = Math.min(amount, Math.max(0, share));
  return {
    text: `Bill ${bill.number}: ${bill.description}`,
    net: amount - vat,
    vat_rate: bill.vatRate,
    vat,
    gross: amount,
    // A payment of a delivered bill is the firm's own money.
    client_money: false,
  };
}
