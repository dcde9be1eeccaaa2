import { type BillLine, type FeedRecord, type VatCode, vatCodeNames, vatCodes } from '@keyturn/contract';
import { formatMoney, formatRate } from '@keyturn/format/money';
import { vatOf } from '@keyturn/format/vat';
import type { bills } from '../../schema/tables/payment-tables.ts';
import { RecordRejected } from '../records/rejected-record.ts';

type BillRow = typeof bills.$inferSelect;
type SentBill = FeedRecord<'bills'>;
type SentLine = NonNullable<SentBill['lines']>[number];

/** Returns the lines of a bill. One that was sent with a net amount and a rate is one line of the firm's own money. */
export const linesOf = ({
  lines,
  description,
  net,
  vatRate,
  vat,
}: Pick<BillRow, 'lines' | 'description' | 'net' | 'vatRate' | 'vat'>): BillLine[] =>
  lines ?? [{ description, net, vat_code: codeOf(vatRate), vat_rate: vatRate, vat, money: 'office' }];

/** Returns the only code with a rate; null without one, and for 0%, which has several. */
function codeOf(rate: number): VatCode | null {
  const [code = null, ...others] = vatCodeNames.filter((name) => vatCodes[name].rate === rate);
  return others.length === 0 ? code : null;
}

/**
 * Returns the lines of a bill as they are sent. A bill with a net amount and a rate is one line of them.
 * @returns null if no VAT code has that rate, or several have
 */
export function sentLinesOf({
  lines,
  description,
  net = 0,
  vat_rate = 0,
  vat = 0,
}: SentBill): SentLine[] | null {
  if (lines) return lines;
  const vat_code = codeOf(vat_rate);
  return vat_code && [{ description, net, vat_code, vat, money: 'office' }];
}

/** Adds the VAT that a line was sent without: the net amount at the rate of its code, rounded half up. */
export const withVat = (line: SentLine): SentLine & { vat: number } => ({
  ...line,
  vat: line.vat ?? vatOf(line.net, vatCodes[line.vat_code].rate),
});

/** The most that a bill can be, in pence. */
const maxBill = 100_000_000;

/**
 * Returns the columns with the amounts of a bill. This is the only place that adds up its lines.
 * @throws RecordRejected for lines together with a net amount, for neither, for wrong VAT, and for too much
 */
export function amountsOf({
  lines: sent,
  net,
  vat_rate,
  vat,
}: SentBill): Pick<BillRow, 'lines' | 'net' | 'vatRate' | 'vat'> {
  if (!sent) {
    for (const [field, value] of Object.entries({ net, vat_rate, vat })) {
      if (value === undefined) throw new RecordRejected(`/${field}`, 'is needed for a bill without lines');
    }
    return { lines: null, net: net ?? 0, vatRate: vat_rate ?? 0, vat: vat ?? 0 };
  }
  for (const [field, value] of Object.entries({ net, vat_rate, vat })) {
    if (value !== undefined) throw new RecordRejected(`/${field}`, 'cannot be set with lines');
  }
  const lines = sent.map((line, index) => toLine(withVat(line), index));
  const sum = (amountOf: (line: BillLine) => number) =>
    lines.reduce((total, line) => total + amountOf(line), 0);
  const amounts = { net: sum((line) => line.net), vat: sum((line) => line.vat) };
  if (amounts.net + amounts.vat > maxBill) {
    throw new RecordRejected('/lines', `add up to more than ${formatMoney(maxBill)}`);
  }
  // Servers of 0.2 show one rate for the whole bill.
  return { lines, ...amounts, vatRate: Math.max(...lines.map((line) => line.vat_rate)) };
}

/** The rate is stored with the line, because the rate of a code changes and the VAT of a bill does not. */
function toLine(line: SentLine & { vat: number }, index: number): BillLine {
  const { rate } = vatCodes[line.vat_code];
  // Firms may round down, or share out a penny among lines.
  if (Math.abs(line.vat - vatOf(line.net, rate)) > (rate === 0 ? 0 : 1)) {
    throw new RecordRejected(
      `/lines/${index}/vat`,
      rate === 0
        ? 'must be 0: the code has no VAT'
        : `must be ${formatRate(rate)} of the net amount, give or take a penny`,
    );
  }
  return { ...line, vat_rate: rate };
}
