import type { PaymentAllocation, StoredPaymentLine } from '../../schema/tables/payment-tables.ts';

/**
 * Returns the lines of a payment by whose money they are. The line of a search is split if a part of the payment repays the firm.
 * @param allocation null if nothing was decided, as for payments that are not for a search
 */
export function allocatedLines<Line extends Omit<StoredPaymentLine, 'bill_line'>>(
  lines: readonly Line[],
  allocation: Pick<PaymentAllocation, 'office'> | null,
): Line[] {
  const [line, ...others] = lines;
  const office = allocation?.office ?? 0;
  if (!line || others.length > 0 || office === 0) return [...lines];
  if (office >= line.gross) return [{ ...line, client_money: false }];
  const vat = Math.round((line.vat * office) / line.gross);
  const repaid = { gross: office, vat, net: office - vat };
  return [
    { ...line, ...repaid, text: `${line.text}: repays us`, client_money: false },
    {
      ...line,
      gross: line.gross - repaid.gross,
      vat: line.vat - repaid.vat,
      net: line.net - repaid.net,
      text: `${line.text}: on account`,
      client_money: true,
    },
  ];
}
