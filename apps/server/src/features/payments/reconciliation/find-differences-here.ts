import { formatMoney } from '@keyturn/format/money';
import type { Connection } from '../../../platform/database.ts';
import {
  findNeglectedPayments,
  findReceiptCounters,
  findRecordDifferences,
  findSearchesOfPayments,
  findTakenPayments,
  type SearchOfPayment,
} from './check-store.ts';
import type { Difference } from './differences.ts';

/**
 * What does not agree within our own database: payments and their record, searches, receipts; and payments that wait for
 * a person.
 * @param of.canAsk whether a provider can be asked about its payments
 */
export async function findDifferencesHere(
  connection: Connection,
  of: { now: Date; canAsk(provider: string): boolean },
): Promise<Difference[]> {
  return [
    ...(await checkRecord(connection)),
    ...(await checkSearches(connection)),
    ...(await checkReceipts(connection)),
    ...(await checkNeglected(connection, of)),
  ];
}

async function checkRecord(connection: Connection): Promise<Difference[]> {
  return (await findRecordDifferences(connection)).map((row) => ({
    kind: 'record_differs',
    subject: row.id,
    found:
      `the payment is ${row.status} with ${formatMoney(row.taken)} taken, its record says ` +
      `${row.recordedStatus ?? 'nothing'} with ${formatMoney(row.recorded)}`,
  }));
}

async function checkSearches(connection: Connection): Promise<Difference[]> {
  const found: Difference[] = [];
  const rows = await findSearchesOfPayments(connection);
  for (const row of rows) {
    const difference = differenceOfSearch(row);
    if (difference) found.push({ ...difference, subject: row.searchId });
  }
  const paidFor = new Set<string>();
  for (const row of rows.filter(({ paidAt, status }) => paidAt !== null && status !== 'refunded')) {
    if (!paidFor.has(row.searchId)) {
      paidFor.add(row.searchId);
      continue;
    }
    found.push({
      kind: 'paid_twice',
      subject: row.searchId,
      found: `${row.name} was paid by card more than once, with payment ${row.paymentId} too`,
    });
  }
  return found;
}

function differenceOfSearch(row: SearchOfPayment): Omit<Difference, 'subject'> | null {
  const { name, paymentId, searchStatus } = row;
  const isPaid = row.paidAt !== null;
  if (isPaid && searchStatus === 'awaiting_payment') {
    return {
      kind: 'search_not_paid',
      found: `${name} awaits payment, and payment ${paymentId} has paid for it`,
    };
  }
  if (isPaid && row.status === 'refunded') return null;
  if (isPaid && searchStatus === 'cancelled') {
    return {
      kind: 'search_cancelled',
      found: `${name} is cancelled, and payment ${paymentId} has paid for it`,
    };
  }
  if (isPaid && row.searchPaidAt?.getTime() !== row.paidAt?.getTime()) {
    return {
      kind: 'paid_twice',
      found: `${name} was paid in another way, and by card with payment ${paymentId}`,
    };
  }
  if (!isPaid && searchStatus !== 'awaiting_payment') {
    return {
      kind: 'open_without_need',
      found: `${name} is ${searchStatus}, and payment ${paymentId} for it is still open`,
    };
  }
  return null;
}

async function checkReceipts(connection: Connection): Promise<Difference[]> {
  const found: Difference[] = [];
  const numbers = new Map<number, Set<number>>();
  for (const { id, receiptNumber } of await findTakenPayments(connection)) {
    const [, year, number] = /^R-(\d{4})-(\d{6,})$/.exec(receiptNumber ?? '') ?? [];
    if (year === undefined) {
      found.push({
        kind: 'paid_without_receipt',
        subject: id,
        found: `it is paid, and its receipt number is ${receiptNumber ?? 'missing'}`,
      });
      continue;
    }
    const ofYear = numbers.get(Number(year)) ?? new Set();
    numbers.set(Number(year), ofYear.add(Number(number)));
  }
  const counters = await findReceiptCounters(connection);
  for (const [year, ofYear] of [...numbers].sort()) {
    const last = highest(ofYear);
    for (let number = 1; number <= last; number += 1) {
      if (ofYear.has(number)) continue;
      const missing = `R-${year}-${String(number).padStart(6, '0')}`;
      found.push({ kind: 'receipt_missing', subject: missing, found: 'no payment has this receipt number' });
    }
    if (!counters.has(year)) counters.set(year, 0);
  }
  for (const [year, counted] of counters) {
    const last = highest(numbers.get(year) ?? []);
    if (counted === last) continue;
    found.push({
      kind: 'receipt_not_counted',
      subject: String(year),
      found: `the last receipt is number ${last}, the counter stands at ${counted}`,
    });
  }
  return found;
}

const highest = (numbers: Iterable<number>) => {
  let last = 0;
  for (const number of numbers) last = Math.max(last, number);
  return last;
};

/** Milliseconds after which an open payment should long have ended. */
const longOpen = 24 * 3_600_000;
/** Milliseconds that a bank may take. */
const longAtTheBank = 7 * 24 * 3_600_000;

async function checkNeglected(
  connection: Connection,
  { now, canAsk }: { now: Date; canAsk(provider: string): boolean },
): Promise<Difference[]> {
  return (await findNeglectedPayments(connection)).flatMap((row): Difference[] => {
    const { id: subject, reviewReason, provider, updatedAt, status } = row;
    if (reviewReason !== null) {
      return [{ kind: 'under_review', subject, found: `a person has to look at it: ${reviewReason}` }];
    }
    if (!canAsk(provider)) {
      const found = `it was begun at ${provider}, is ${status}, and ${provider} can no longer be asked`;
      return [{ kind: 'left_open', subject, found }];
    }
    const patience = status === 'processing' ? longAtTheBank : longOpen;
    if (now.getTime() - updatedAt.getTime() < patience) return [];
    return [
      {
        kind: 'left_open',
        subject,
        found: `it is ${status}, and nothing happened since ${updatedAt.toISOString()}`,
      },
    ];
  });
}
