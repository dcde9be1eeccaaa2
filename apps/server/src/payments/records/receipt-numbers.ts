import { sql } from 'drizzle-orm';
import type { Transaction } from '../../platform/database.ts';
import { prepareStatement } from '../../platform/prepared-statement.ts';
import { receiptCounters } from '../../schema/tables/payment-tables.ts';

/**
 * Issues the next receipt number of a year, such as `R-2026-000123`. Numbers are unique and without gaps, because a
 * failed transaction rolls its number back. Concurrent transactions wait for each other here, so call this last.
 */
export async function nextReceiptNumber(transaction: Transaction, year: number): Promise<string> {
  const [counter] = await countReceipt(transaction, { year });
  if (!counter) throw new Error('no receipt number was stored');
  return formatReceiptNumber(year, counter.last);
}

const countReceipt = prepareStatement('next_receipt_number', (builder) =>
  builder
    .insert(receiptCounters)
    .values({ year: sql.placeholder('year'), last: 1 })
    .onConflictDoUpdate({
      target: receiptCounters.year,
      set: { last: sql`${receiptCounters.last} + 1` },
    })
    .returning(),
);

/**
 * Reissues a number from before a restore, and lets the numbers of its year continue after it.
 * @returns the number
 */
export async function reuseReceiptNumber(transaction: Transaction, receiptNumber: string): Promise<string> {
  const { year, number } = parseReceiptNumber(receiptNumber);
  await transaction
    .insert(receiptCounters)
    .values({ year, last: number })
    .onConflictDoUpdate({
      target: receiptCounters.year,
      set: { last: sql`greatest(${receiptCounters.last}, ${number})` },
    });
  return receiptNumber;
}

/** Reads a receipt number such as `R-2026-000123`. @throws Error for any other text */
export function parseReceiptNumber(receiptNumber: string): { year: number; number: number } {
  const [, year, number] = /^R-(\d{4})-(\d{6,9})$/.exec(receiptNumber) ?? [];
  if (year === undefined || number === undefined) throw new Error(`${receiptNumber} is no receipt number`);
  return { year: Number(year), number: Number(number) };
}

/** Formats the number of a receipt, such as `R-2026-000123`. */
export const formatReceiptNumber = (year: number, number: number): string =>
  `R-${year}-${String(number).padStart(6, '0')}`;
