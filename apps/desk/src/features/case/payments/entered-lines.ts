import { type LineMoney, type VatCode, vatCodeNames, vatCodes } from '@keyturn/contract';
import { type BillEdit, type DeskBill, maxBillLines } from '@keyturn/contract/staff';
import { formatMoney } from '@keyturn/format/money';
import { vatOf } from '@keyturn/format/vat';
import { invalidForm } from '../../../api/client/staff-error.ts';
import { readPence } from '../../../ui/forms/entered-price.ts';
import type { EditField } from '../edits/edit-fields.tsx';
import { type EstimateField, estimateFields, estimateValues, toPounds } from '../edits/estimate-fields.ts';
import type { FormValues } from '../edits/form-values.ts';

/* A bill in a form. Fields are named by their paths in the request. */

const parts = ['description', 'net', 'vat_code', 'vat', 'money'] as const;
type LinePart = (typeof parts)[number];
export type LineField = `lines.${number}.${LinePart}`;
export type BillField = LineField | EstimateField;
export type BillValues = FormValues<BillField>;

type EnteredLine = Record<LinePart, string>;
const emptyLine: EnteredLine = { description: '', net: '', vat_code: 'standard', vat: '', money: 'office' };

/** Fills the fields of a bill. VAT that is that of its code is left empty, so that it follows a changed net amount. */
export const billValues = ({ lines = [], ...bill }: Pick<DeskBill, 'lines' | EstimateField>): BillValues => ({
  ...toValues(
    lines.map(({ description, net, vat_code, vat_rate, vat, money }) => ({
      description,
      net: toPounds(net),
      vat_code: vat_code ?? '',
      vat: vat === vatOf(net, vat_rate) ? '' : toPounds(vat),
      money,
    })),
  ),
  ...estimateValues(bill),
});

const toValues = (lines: readonly EnteredLine[]): FormValues<LineField> =>
  Object.fromEntries(
    Array.from({ length: maxBillLines }, (_, index) => {
      const line = lines[index] ?? emptyLine;
      return parts.map((part) => [`lines.${index}.${part}`, line[part]]);
    }).flat(),
  ) as FormValues<LineField>;

/** Returns the lines that are filled in, up to the last one. */
export function enteredLines(values: BillValues): EnteredLine[] {
  const all = Array.from(
    { length: maxBillLines },
    (_, index) =>
      Object.fromEntries(parts.map((part) => [part, values[`lines.${index}.${part}`]])) as EnteredLine,
  );
  return all.slice(
    0,
    all.findLastIndex(({ description, net, vat }) => `${description}${net}${vat}`.trim() !== '') + 1,
  );
}

/** Removes a line, and moves those below it up. */
export const withoutLine = (values: BillValues, removed: number): BillValues => ({
  ...values,
  ...toValues(enteredLines(values).filter((_, index) => index !== removed)),
});

/** The fields of the lines that are filled in, of an empty one, and of the estimate. */
export const billFields = (values: BillValues): readonly EditField<BillField>[] => {
  const lines = [...enteredLines(values), emptyLine].slice(0, maxBillLines);
  const ofLines = lines.flatMap(({ vat_code }, index): EditField<BillField>[] => [
    { name: `lines.${index}.description`, label: `Line ${index + 1}: what it is for`, maxLength: 300 },
    { name: `lines.${index}.net`, label: 'Net, in pounds', kind: 'number', maxLength: 12 },
    {
      name: `lines.${index}.vat_code`,
      label: 'VAT code',
      kind: 'choice',
      options: [...(vat_code === '' ? [{ value: '', name: 'Choose' }] : []), ...codeOptions],
    },
    { name: `lines.${index}.vat`, label: 'VAT, if not that of its code', kind: 'number', maxLength: 12 },
    { name: `lines.${index}.money`, label: 'Money', kind: 'choice', options: moneyOptions },
  ]);
  return [...ofLines, ...estimateFields];
};

const codeOptions = vatCodeNames.map((value) => ({
  value,
  name: vatCodes[value].rate > 0 ? `${vatCodes[value].name}, ${vatCodes[value].rate}%` : vatCodes[value].name,
}));
const moneyOptions: { value: LineMoney; name: string }[] = [
  { value: 'office', name: 'Office: your own' },
  { value: 'client', name: 'Client: held until you pay it to others' },
];

const isCode = (code: string): code is VatCode => Object.hasOwn(vatCodes, code);

/** Returns the amounts of a line in pence; null while they cannot be read. */
function amountsOf({ net: enteredNet, vat: enteredVat, vat_code }: EnteredLine) {
  const net = readPence(enteredNet);
  const vat =
    enteredVat.trim() === ''
      ? net !== null && isCode(vat_code)
        ? vatOf(net, vatCodes[vat_code].rate)
        : null
      : readPence(enteredVat);
  return net === null || vat === null ? null : { net, vat };
}

/** Says what the lines add up to, as they are entered. */
export function sumInWords(values: BillValues): string {
  const lines = enteredLines(values);
  const amounts = lines.map((line) => ({ ...line, ...(amountsOf(line) ?? { net: Number.NaN, vat: 0 }) }));
  const sum = (pence: (line: (typeof amounts)[number]) => number) =>
    amounts.reduce((total, line) => total + pence(line), 0);
  const net = sum((line) => line.net);
  if (lines.length === 0 || Number.isNaN(net)) return 'The total shows once each line has its amounts.';
  const vat = sum((line) => line.vat);
  const client = sum((line) => (line.money === 'client' ? line.net + line.vat : 0));
  const total = `Total ${formatMoney(net + vat)}: net ${formatMoney(net)}, VAT ${formatMoney(vat)}.`;
  if (client === 0) return `${total} All of it is your own money.`;
  if (client === net + vat) return `${total} All of it is client money.`;
  return `${total} ${formatMoney(client)} of it is client money, and ${formatMoney(net + vat - client)} is your own.`;
}

/** @throws ApiError with all fields that are missing or cannot be read */
export function readBill(values: BillValues): BillEdit['changes'] {
  const lines = enteredLines(values);
  const faults: Partial<Record<BillField, string>> = {};
  for (const [index, line] of lines.entries()) {
    const name = `Line ${index + 1}`;
    if (line.description.trim() === '')
      faults[`lines.${index}.description`] = `${name}: enter what it is for.`;
    if (!readPence(line.net))
      faults[`lines.${index}.net`] = `${name}: enter the net amount in pounds, such as 38.50.`;
    if (!isCode(line.vat_code)) faults[`lines.${index}.vat_code`] = `${name}: choose the VAT code.`;
    if (line.vat.trim() !== '' && readPence(line.vat) === null)
      faults[`lines.${index}.vat`] = `${name}: enter the VAT in pounds, such as 7.70, or nothing.`;
  }
  if (lines.length === 0) faults['lines.0.description'] = 'A bill has at least one line.';
  const estimate = readPence(values.estimate);
  if (values.estimate.trim() !== '' && !estimate)
    faults.estimate = 'Enter your estimate in pounds, such as 1,380.00, or nothing.';
  if (Object.keys(faults).length > 0) throw invalidForm(faults as Record<string, string>);
  return {
    lines: lines.map(({ description, net, vat_code, vat, money }) => ({
      description: description.trim(),
      net: readPence(net) ?? 0,
      vat_code: vat_code as VatCode,
      ...(vat.trim() === '' ? {} : { vat: readPence(vat) ?? 0 }),
      money: money as LineMoney,
    })),
    estimate,
    above_estimate: values.above_estimate.trim() || null,
  };
}

/** Says why the lines of a bill no longer change; null while they can. */
export const whyFixed = ({ lines_fixed_by }: Pick<DeskBill, 'lines_fixed_by'>): string | null =>
  lines_fixed_by === 'open'
    ? 'A client is paying it, so its lines can’t change.'
    : lines_fixed_by === 'paid'
      ? 'A payment of it was made, so its lines can’t change.'
      : null;
