import type { ExportDateFormat, ExportField, ExportProfile, MovementKind } from '@keyturn/contract/staff';
import { toCsv } from '@keyturn/format/csv';
import { providersByName } from '../../../platform/provider-names.ts';
import type { LedgerEntry } from '../read-ledger.ts';
import { type LedgerRow, rowsOf } from './ledger-rows.ts';

/** Writes the movements of a ledger as CSV, a few hundred at a time. */
export function* ledgerCsv(entries: readonly LedgerEntry[], profile: ExportProfile): Generator<string> {
  yield toCsv([profile.columns.map(({ heading }) => heading)]);
  for (let start = 0; start < entries.length; start += entriesAtATime) {
    const part = entries.slice(start, start + entriesAtATime);
    // Only the first line of the file starts with a byte order mark.
    yield toCsv(cellsOf(part, profile)).slice(1);
  }
}

const entriesAtATime = 500;

/** Returns the cells of the rows of an export. */
export const cellsOf = (entries: readonly LedgerEntry[], profile: ExportProfile): string[][] =>
  entries
    .flatMap((entry) => rowsOf(entry, profile.rows))
    .map((row) =>
      profile.columns.map(({ field, text }) =>
        field === 'fixed_text' ? (text ?? '') : readers[field](row, profile),
      ),
    );

type Reader = (row: LedgerRow, profile: ExportProfile) => string;

const readers: Record<Exclude<ExportField, 'fixed_text'>, Reader> = {
  date: ({ day }, { date_format }) => formatDate(day, date_format),
  kind: ({ kind }) => kind,
  posting_type: ({ kind }, { codes }) => codes.posting_types[kind] ?? '',
  reference: ({ transactionId }) => transactionId,
  account: ({ account }) => account,
  bank_code: ({ account }, { codes }) => codes.bank[account] ?? '',
  money: ({ money }) => money,
  nominal_code: ({ money }, { codes: { nominal } }) =>
    (money === '' ? null : money === 'client' ? nominal.client : nominal.office) ?? '',
  client_number: ({ clientReference }) => clientReference ?? '',
  client: ({ clientName }) => clientName ?? '',
  payer: (row) => payerOf(row) ?? '',
  case_reference: ({ caseReference }) => caseReference ?? '',
  matter_reference: ({ matterReference }) => matterReference ?? '',
  fee_earner: ({ feeEarner }) => feeEarner ?? '',
  payment: ({ paymentId }) => paymentId ?? '',
  receipt_number: ({ receiptNumber }) => receiptNumber ?? '',
  method: ({ method }) => method ?? '',
  description: ({ description }) => description ?? '',
  narrative: (row) => narrativeOf(row),
  bill: ({ bill }) => bill?.number ?? '',
  line: ({ line }) => line ?? '',
  amount: ({ amount }) => toPounds(amount),
  net: ({ amount, vat }) => toPounds(amount - vat),
  vat: ({ vat }) => toPounds(vat),
  vat_code: ({ vatCode }, { codes }) => (vatCode && codes.vat[vatCode]) ?? '',
  fee: ({ fee }) => toPounds(fee),
  amount_after_fee: ({ amount, fee }) => toPounds(amount - fee),
  available_on: ({ availableOn }, { date_format }) => formatDate(availableOn, date_format),
  payout: ({ payoutId }) => payoutId ?? '',
  payout_arrives_on: ({ payoutArrivesOn }, { date_format }) => formatDate(payoutArrivesOn, date_format),
  payout_matched_on: ({ payoutMatchedOn }, { date_format }) => formatDate(payoutMatchedOn, date_format),
  provider: ({ provider }) => providersByName[provider].shownAs,
};

/** The name on the card, or of the bank account; otherwise the client. */
const payerOf = ({ payerName, clientName }: LedgerRow): string | null => payerName ?? clientName;

const kindNames: Record<MovementKind, string> = {
  charge: 'Online payment',
  refund: 'Refund of an online payment',
  refund_failure: 'Refund that failed',
  dispute: 'Chargeback',
  dispute_reversal: 'Chargeback returned',
  fee: 'Fee of the payment provider',
  payout: 'Payout of the payment provider',
  payout_failure: 'Payout returned',
  allocation: 'Change of whose money it is',
  other: 'Movement at the payment provider',
};

const narrativeOf = (row: LedgerRow): string =>
  [
    kindNames[row.kind],
    row.line ?? row.description,
    payerOf(row),
    row.receiptNumber && `receipt ${row.receiptNumber}`,
  ]
    .filter((part) => part)
    .join(', ');

function formatDate(day: string | null, format: ExportDateFormat): string {
  if (day === null) return '';
  const [year = '', month = '', date = ''] = day.split('-');
  switch (format) {
    case 'YYYY-MM-DD':
      return day;
    case 'DD/MM/YYYY':
      return `${date}/${month}/${year}`;
    case 'DD/MM/YY':
      return `${date}/${month}/${year.slice(2)}`;
    case 'YYYYMMDD':
      return year + month + date;
  }
}

/** Formats pence as a plain decimal number of pounds: -1250 becomes "-12.50". */
const toPounds = (pence: number): string => (pence / 100).toFixed(2);
