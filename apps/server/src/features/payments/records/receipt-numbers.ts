import { sql } from 'drizzle-orm';
import type { Transaction } from '../../../platform/database.ts';
import { receiptCounters } from '../../../platform/payment-tables.ts';

/**
 * Takes the next receipt number of a year, such as `R-2026-000123`. Numbers are unique and without gaps: a transaction
 * that fails returns its number. Concurrent transactions wait for each other here, so take the number last.
 */
export async function nextReceiptNumber(transaction: Transaction, year: number): Promise<string> {
  const [counter] = await transaction
    .insert(receiptCounters)
    .values({ year, last: 1 })
    .onConflictDoUpdate({
      target: receiptCounters.year,
      set: { last: sql`${receiptCounters.last} + 1` },
    })
    .returning();
  if (!counter) throw new Error('no receipt number was stored');
  return `R-${year}-${String(counter.last).padStart(6, '0')}`;
}
