import { formatDay } from './london-time.ts';
import { formatRate } from './money.ts';

interface VatLine {
  net: number;
  /** Percent. */
  vat_rate: number;
  vat: number;
  gross: number;
  /** Whether it goes into the client account. */
  client_money: boolean;
}

/** The statement about VAT on a receipt. */
export interface VatStatement {
  /** The supplier's VAT number; null for a receipt that claims no VAT. */
  number: string | null;
  /**
   * Net and VAT of each rate, and amounts without VAT, in pence. They add up to the amount paid. Empty if no VAT is
   * claimed.
   */
  amounts: { label: string; amount: number }[];
  notice: string | null;
}

/**
 * Returns the statement about VAT for a receipt. Client money is no payment for a supply, so its receipt claims no VAT (HMRC
 * manual VATTOS8530). Only a firm with a VAT number charges VAT, so without one no VAT is claimed, regardless of the lines.
 * For a bill, the bill itself is the VAT invoice.
 */
export function vatStatement({
  lines,
  vatNumber,
  bill,
}: {
  lines: readonly VatLine[];
  vatNumber: string | null;
  bill: { number: string; issuedOn: string } | null;
}): VatStatement {
  if (lines.some(({ client_money }) => client_money))
    return { number: null, amounts: [], notice: onAccountNotice };
  const vat = lines.reduce((sum, line) => sum + line.vat, 0);
  const notice = 'This receipt is not a VAT invoice.';
  if (vat === 0) return { number: null, amounts: [], notice: `${notice} It includes no VAT.` };
  if (vatNumber === null) return { number: null, amounts: [], notice };
  return {
    number: vatNumber,
    amounts: amountsByRate(lines),
    notice: bill && `Your VAT invoice is bill ${bill.number} of ${formatDay(bill.issuedOn)}.`,
  };
}

const onAccountNotice = 'Receipt for money held on account. Not a VAT invoice: VAT is shown on our bill.';

function amountsByRate(lines: readonly VatLine[]): VatStatement['amounts'] {
  const charged = lines.filter(({ vat }) => vat !== 0);
  const withoutVat = sumOf(lines, ({ vat, gross }) => (vat === 0 ? gross : 0));
  const rates = [...new Set(charged.map(({ vat_rate }) => vat_rate))].sort((a, b) => b - a);
  const isPlain = rates.length === 1 && withoutVat === 0;
  return [
    ...rates.flatMap((rate) => {
      const ofRate = charged.filter(({ vat_rate }) => vat_rate === rate);
      return [
        { label: isPlain ? 'Net' : `Net at ${formatRate(rate)}`, amount: sumOf(ofRate, ({ net }) => net) },
        { label: `VAT at ${formatRate(rate)}`, amount: sumOf(ofRate, ({ vat }) => vat) },
      ];
    }),
    ...(withoutVat === 0 ? [] : [{ label: 'Without VAT', amount: withoutVat }]),
  ];
}

const sumOf = (lines: readonly VatLine[], amountOf: (line: VatLine) => number) =>
  lines.reduce((sum, line) => sum + amountOf(line), 0);
