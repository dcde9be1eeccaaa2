import { toCsv } from '@keyturn/format/csv';
import { providersByName } from '../../platform/provider-names.ts';
import type { LedgerEntry } from './read-ledger.ts';

/** Writes the movements of a ledger as CSV, a few hundred rows at a time. */
export function* ledgerCsv(entries: readonly LedgerEntry[]): Generator<string> {
  yield toCsv([csvColumns.map(([name]) => name)]);
  for (let start = 0; start < entries.length; start += rowsAtATime) {
    const rows = entries.slice(start, start + rowsAtATime);
    // Only the first line of the file starts with a byte order mark.
    yield toCsv(rows.flatMap(rowsOf).map((row) => csvColumns.map(([, read]) => read(row)))).slice(1);
  }
}

const rowsAtATime = 500;

/** A movement, or the client's or the firm's part of one. */
type CsvRow = LedgerEntry & { money: 'client' | 'business' | '' };

/** Returns a row for a movement, and two for one with both client money and the firm's. The firm bears the fee, and a chargeback until it is settled. */
function rowsOf(entry: LedgerEntry): CsvRow[] {
  const { kind, lines, amount, clientMoney, fee } = entry;
  if (lines === null) return [{ ...entry, money: '' }];
  if (kind === 'dispute' || kind === 'dispute_reversal') return [{ ...entry, money: 'business' }];
  const office = amount - clientMoney;
  if (office === 0) return [{ ...entry, money: 'client' }];
  if (clientMoney === 0) return [{ ...entry, money: 'business' }];
  return [
    { ...entry, money: 'client', amount: clientMoney, fee: 0 },
    { ...entry, money: 'business', amount: office, fee },
  ];
}

const csvColumns: [name: string, read: (row: CsvRow) => string][] = [
  ['date', ({ day }) => day],
  ['type', ({ kind }) => kind],
  ['reference', ({ transactionId }) => transactionId],
  ['case_reference', ({ caseReference }) => caseReference ?? ''],
  ['matter_reference', ({ matterReference }) => matterReference ?? ''],
  ['client', ({ payerName }) => payerName ?? ''],
  ['payment', ({ paymentId }) => paymentId ?? ''],
  ['receipt_number', ({ receiptNumber }) => receiptNumber ?? ''],
  ['description', ({ description }) => description ?? ''],
  ['money', ({ money }) => money],
  ['gross', ({ amount }) => toPounds(amount)],
  ['fee', ({ fee }) => toPounds(fee)],
  ['net', ({ amount, fee }) => toPounds(amount - fee)],
  ['available_on', ({ availableOn }) => availableOn],
  ['payout', ({ payoutId }) => payoutId ?? ''],
  ['payout_arrives_on', ({ payoutArrivesOn }) => payoutArrivesOn ?? ''],
  ['provider', ({ provider }) => providersByName[provider].shownAs],
  ['account', ({ account }) => account],
  ['method', ({ method }) => method ?? ''],
  ['payout_matched_on', ({ payoutMatchedOn }) => payoutMatchedOn ?? ''],
];

/** Formats pence as a plain decimal number of pounds: -1250 becomes "-12.50". */
const toPounds = (pence: number): string => (pence / 100).toFixed(2);
