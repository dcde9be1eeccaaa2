import { londonDay } from '@keyturn/format/london-time';
import { formatMoney } from '@keyturn/format/money';
import type { Connection } from '../../platform/database.ts';
import { reconcileAccounts } from '../accounts/reconcile-accounts.ts';
import { readContinuity } from '../continuity/continuity-store.ts';
import { type Discrepancy, describePayment } from '../records/discrepancies.ts';
import { findRefundTotalMismatches } from '../records/refunds-store.ts';
import {
  findLedgerMismatches,
  findPaidPayments,
  findPaymentsOfLines,
  findPaymentsWithoutMatter,
  findReceiptCounters,
  findSearchPayments,
  findUnclearedPayments,
  findUnsettledPayments,
  findWaitingRefunds,
  type SearchPayment,
} from './reconciliation-store.ts';

/**
 * Finds discrepancies within our own database: between payments and the ledger, searches and receipts. Also finds
 * payments that need manual review or have been open for too long.
 * @param options.canCall whether we have the keys to call a provider
 */
export async function findLocalDiscrepancies(
  connection: Connection,
  options: { now: Date; canCall(provider: string): boolean },
): Promise<Discrepancy[]> {
  return [
    ...(await findPause(connection)),
    ...(await compareWithLedger(connection)),
    ...(await compareWithSearches(connection)),
    ...(await checkReceiptNumbers(connection)),
    ...(await findUnsettled(connection, options)),
    ...(await findUncleared(connection, options)),
    ...(await reconcileAccounts(connection, options.now)),
    ...(await compareWithBills(connection)),
    ...(await findUnknownMatters(connection, options)),
    ...(await compareRefundTotals(connection)),
    ...(await findWaiting(connection, options)),
  ];
}

async function findPause(connection: Connection): Promise<Discrepancy[]> {
  const { pausedAt, pausedReason } = await readContinuity(connection);
  if (pausedAt === null) return [];
  const found = `payments are paused since ${pausedAt.toISOString()}: ${pausedReason}`;
  return [{ kind: 'payments_paused', subject: 'payments', found }];
}

async function compareWithLedger(connection: Connection): Promise<Discrepancy[]> {
  return (await findLedgerMismatches(connection)).map((row) => ({
    kind: 'ledger_mismatch',
    subject: row.id,
    found:
      `the payment is ${row.status} with ${formatMoney(row.captured)} captured, but its ledger ends with ` +
      `${row.ledgerStatus ?? 'no status'} and ${formatMoney(row.ledgerTotal)}`,
  }));
}

async function compareWithSearches(connection: Connection): Promise<Discrepancy[]> {
  const found: Discrepancy[] = [];
  const rows = await findSearchPayments(connection);
  for (const row of rows) {
    const discrepancy = compareWithSearch(row);
    if (discrepancy) found.push({ ...discrepancy, subject: row.searchId });
  }
  const firstPayments = new Map<string, SearchPayment>();
  for (const row of rows.filter(({ paidAt, status }) => paidAt !== null && status !== 'refunded')) {
    const first = firstPayments.get(row.searchId);
    if (!first) {
      firstPayments.set(row.searchId, row);
      continue;
    }
    found.push({
      kind: 'paid_twice',
      subject: row.searchId,
      found: `${row.name} was paid more than once: by ${first.method} with payment ${first.paymentId}, and by ${row.method} with payment ${row.paymentId}`,
    });
  }
  return found;
}

function compareWithSearch(row: SearchPayment): Omit<Discrepancy, 'subject'> | null {
  const { name, paymentId, searchStatus } = row;
  const isPaid = row.paidAt !== null;
  if (row.releasedAt !== null) {
    if (row.status === 'refunded') return null;
    return {
      kind: 'paid_twice',
      found: `${name} was offered again after payment ${paymentId} was refunded, but that refund failed`,
    };
  }
  if (isPaid && searchStatus === 'awaiting_payment') {
    return {
      kind: 'search_not_paid',
      found: `${name} awaits payment, but payment ${paymentId} has paid for it`,
    };
  }
  if (isPaid && row.status === 'refunded') return null;
  if (isPaid && searchStatus === 'cancelled') {
    return {
      kind: 'search_cancelled',
      found: `${name} is cancelled, but payment ${paymentId} has paid for it`,
    };
  }
  if (isPaid && row.searchPaidAt?.getTime() !== row.paidAt?.getTime()) {
    return {
      kind: 'paid_twice',
      found: `${name} was paid in another way, and also by ${row.method} with payment ${paymentId}`,
    };
  }
  if (!isPaid && searchStatus !== 'awaiting_payment') {
    return {
      kind: 'no_longer_needed',
      found: `${name} is ${searchStatus}, but payment ${paymentId} for it is still open`,
    };
  }
  return null;
}

async function checkReceiptNumbers(connection: Connection): Promise<Discrepancy[]> {
  const found: Discrepancy[] = [];
  const numbers = new Map<number, Set<number>>();
  for (const { id, receiptNumber } of await findPaidPayments(connection)) {
    const [, year, number] = /^R-(\d{4})-(\d{6,})$/.exec(receiptNumber ?? '') ?? [];
    if (year === undefined) {
      found.push({
        kind: 'paid_without_receipt',
        subject: id,
        found: `the payment is paid, but its receipt number is ${receiptNumber ?? 'missing'}`,
      });
      continue;
    }
    const numbersOfYear = numbers.get(Number(year)) ?? new Set();
    numbers.set(Number(year), numbersOfYear.add(Number(number)));
  }
  const counters = await findReceiptCounters(connection);
  for (const [year, numbersOfYear] of [...numbers].sort()) {
    const last = maxOf(numbersOfYear);
    for (let number = 1; number <= last; number += 1) {
      if (numbersOfYear.has(number)) continue;
      const missing = `R-${year}-${String(number).padStart(6, '0')}`;
      found.push({
        kind: 'receipt_number_missing',
        subject: missing,
        found: 'no payment has this receipt number',
      });
    }
    if (!counters.has(year)) counters.set(year, 0);
  }
  for (const [year, counted] of counters) {
    const last = maxOf(numbers.get(year) ?? []);
    if (counted === last) continue;
    found.push({
      kind: 'receipt_counter_wrong',
      subject: String(year),
      found: `the last receipt is number ${last}, but the counter is at ${counted}`,
    });
  }
  return found;
}

/** The highest of any number of positive numbers; 0 if there are none. */
const maxOf = (numbers: Iterable<number>) => {
  let max = 0;
  for (const number of numbers) max = Math.max(max, number);
  return max;
};

/** Milliseconds. An open payment expires long before this. */
const maxOpen = 24 * 3_600_000;
/** Milliseconds a bank may take to confirm a payment. */
const maxProcessing = 7 * 24 * 3_600_000;

async function findUnsettled(
  connection: Connection,
  { now, canCall }: { now: Date; canCall(provider: string): boolean },
): Promise<Discrepancy[]> {
  return (await findUnsettledPayments(connection)).flatMap((row): Discrepancy[] => {
    const { id: subject, reviewReason, provider, updatedAt, status } = row;
    const payment = describePayment(row.method);
    if (reviewReason !== null) {
      return [{ kind: 'under_review', subject, found: `${payment} needs manual review: ${reviewReason}` }];
    }
    if (!canCall(provider)) {
      const found = `${payment} is ${status} at ${provider}, which we can no longer call`;
      return [{ kind: 'open_too_long', subject, found }];
    }
    const maxAge = status === 'processing' ? maxProcessing : maxOpen;
    if (now.getTime() - updatedAt.getTime() < maxAge) return [];
    return [
      {
        kind: 'open_too_long',
        subject,
        found: `${payment} is ${status}, without activity since ${updatedAt.toISOString()}`,
      },
    ];
  });
}

/** Milliseconds. Money usually clears within three working days. */
const maxClearing = 14 * 24 * 3_600_000;

async function findUncleared(connection: Connection, { now }: { now: Date }): Promise<Discrepancy[]> {
  const paidBefore = new Date(now.getTime() - maxClearing);
  return (await findUnclearedPayments(connection, { paidBefore })).map(({ id, paidAt, method }) => ({
    kind: 'not_cleared',
    subject: id,
    found: `${describePayment(method)} was made at ${paidAt?.toISOString()}, but the provider has not made the money available`,
  }));
}

/** A payment is split when it is started, so only a server of 0.2, or a change of the database, can leave another split. */
async function compareWithBills(connection: Connection): Promise<Discrepancy[]> {
  return (await findPaymentsOfLines(connection)).flatMap(({ id, number, lines, billLines }) => {
    const isSplit = lines.every(({ client_money, bill_line }) =>
      bill_line === undefined
        ? client_money || billLines.every(({ money }) => money === 'office')
        : (billLines[bill_line]?.money === 'client') === client_money,
    );
    const found = `the payment is not split into client money and the firm’s as bill ${number} is`;
    return isSplit ? [] : [{ kind: 'allocation_mismatch' as const, subject: id, found }];
  });
}

async function findUnknownMatters(connection: Connection, { now }: { now: Date }): Promise<Discrepancy[]> {
  const found = await findPaymentsWithoutMatter(connection, { before: londonDay(now) });
  return found.map(({ id, amount, paidAt }) => ({
    kind: 'matter_unknown',
    subject: id,
    found: `${formatMoney(amount)} was paid at ${paidAt?.toISOString()}, and no one has named the matter`,
  }));
}

async function compareRefundTotals(connection: Connection): Promise<Discrepancy[]> {
  return (await findRefundTotalMismatches(connection)).map((row) => ({
    kind: 'refund_total_mismatch',
    subject: row.id,
    found:
      `the payment has ${formatMoney(row.refunded)} refunded and ${formatMoney(row.failed)} failed, but its refunds ` +
      `add up to ${formatMoney(row.refundedRows)} and ${formatMoney(row.failedRows)}`,
  }));
}

/** Milliseconds after which a request that no one approved, or that did not reach the provider, is reported. */
const maxRefundWait = 15 * 60_000;

async function findWaiting(connection: Connection, { now }: { now: Date }): Promise<Discrepancy[]> {
  const before = new Date(now.getTime() - maxRefundWait);
  return (await findWaitingRefunds(connection, { before })).map(({ id, status, amount, paymentId }) =>
    status === 'approved'
      ? {
          kind: 'refund_not_submitted',
          subject: id,
          found: `the refund of ${formatMoney(amount)} for payment ${paymentId} has not reached the provider`,
        }
      : {
          kind: 'refund_not_approved',
          subject: id,
          found: `the refund of ${formatMoney(amount)} for payment ${paymentId} waits for a second person`,
        },
  );
}
