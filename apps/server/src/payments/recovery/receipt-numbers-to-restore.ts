import { formatReceiptNumber, parseReceiptNumber } from '../records/receipt-numbers.ts';

/** A payment that is about to be recorded as paid again. */
export interface PaymentToNumber {
  intentId: string;
  /** The year in London in which it was paid. */
  year: number;
  /** The number in the intent's metadata; null if the server stopped before it was written there. */
  receiptNumber: string | null;
}

/**
 * Chooses the receipt numbers of payments that are recovered after a restore. A payment with a known number gets it
 * again, unless another payment has it. The others fill the remaining gaps in the order of payment, and then continue
 * after the highest number, so that no number is issued twice.
 * @param payments in the order in which they were paid
 * @param used the numbers that payments in the database have
 * @returns the number of each payment by its intent's id
 */
export function chooseReceiptNumbers(
  payments: readonly PaymentToNumber[],
  used: readonly string[],
): Map<string, string> {
  const chosen = new Map<string, string>();
  const taken = new Set(used);
  for (const { intentId, receiptNumber } of payments) {
    if (receiptNumber === null || taken.has(receiptNumber)) continue;
    chosen.set(intentId, receiptNumber);
    taken.add(receiptNumber);
  }
  const next = new Map<number, number>();
  for (const { intentId, year } of payments) {
    if (chosen.has(intentId)) continue;
    let number = next.get(year) ?? 1;
    while (taken.has(formatReceiptNumber(year, number))) number += 1;
    chosen.set(intentId, formatReceiptNumber(year, number));
    next.set(year, number + 1);
  }
  return chosen;
}

/** Whether the text in an intent's metadata is a receipt number. */
export function isReceiptNumber(text: string | null): text is string {
  if (text === null) return false;
  try {
    return parseReceiptNumber(text).number > 0;
  } catch {
    return false;
  }
}
