import type { KeptCase, RetentionKind } from '@keyturn/contract/staff';
import { formatShortDayOf } from '@keyturn/format/dates';

const names: Record<RetentionKind, string> = {
  purchase: 'Purchase',
  'transfer-of-equity': 'Transfer of equity',
  sale: 'Sale',
  remortgage: 'Remortgage',
  abandoned: 'Abandoned',
  payments: 'Payments',
  clients_without_cases: 'Client without a case',
};

/** What the period of a rule is counted from, if that is not the day on which the case is closed. */
const starts: Partial<Record<RetentionKind, string>> = {
  payments: 'the last change of a payment',
  clients_without_cases: 'the last sign-in or change',
};

/** Describes a retention rule: “Purchase: 15 years after the case is closed, until 1 Jun 2041”. */
export function describeRule({ kind, months, until }: KeptCase['rules'][number]): string {
  const start = starts[kind] ?? 'the case is closed';
  return `${names[kind]}: ${lengthOf(months)} after ${start}${until === null ? '' : `, until ${formatShortDayOf(until)}`}`;
}

const lengthOf = (months: number): string =>
  months % 12 === 0 ? counted(months / 12, 'year') : counted(months, 'month');

/** Describes what happens when the retention ends, or happens now that it has ended. */
export function describeRetentionEnd(
  subject: 'case' | 'client',
  { deletes, until }: { deletes: boolean; until: string | null },
): string {
  const isOver = until !== null && Date.parse(until) <= Date.now();
  const what = deletes
    ? `is erased ${isOver ? 'in the coming night' : 'the following night'}, unless a legal hold, a payment, a refund or a dispute prevents it.`
    : `is ${isOver ? '' : 'then '}listed as due, and is erased only when the firm orders it.`;
  return `${isOver ? 'The retention has ended. ' : ''}The ${subject} ${what}`;
}

/** Describes what a case contains: “14 documents, 1 signature, 4 payments”. */
export const describeContents = ({
  documents,
  signatures,
  payments,
}: Pick<KeptCase, 'documents' | 'signatures' | 'payments'>): string =>
  [counted(documents, 'document'), counted(signatures, 'signature'), counted(payments, 'payment')].join(', ');

/** Writes a number with its noun: “1 file”, “3 files”. */
export const counted = (count: number, noun: string): string =>
  `${count.toLocaleString('en-GB')} ${noun}${count === 1 ? '' : 's'}`;
