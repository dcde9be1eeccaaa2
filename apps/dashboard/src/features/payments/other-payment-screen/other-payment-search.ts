/** The search parameters that fill in the form for other payments. */
export interface OtherPaymentSearch {
  /** Pence. */
  amount?: number | undefined;
  /** What it is for, which becomes the reference. */
  for?: string | undefined;
  /** The id of the matter that it is for. */
  matter?: string | undefined;
  /** The id of the bill that it pays. */
  bill?: string | undefined;
}

/**
 * Reads the search parameters of an address. Invalid ones are set to undefined.
 */
export function readOtherPaymentSearch({
  amount,
  for: reason,
  matter,
  bill,
}: Record<string, unknown>): OtherPaymentSearch {
  return {
    amount: typeof amount === 'number' && Number.isSafeInteger(amount) && amount > 0 ? amount : undefined,
    for: textOf(reason)?.slice(0, 100),
    matter: textOf(matter),
    bill: textOf(bill),
  };
}

/** The router parses a text of digits as a number. */
const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' ? String(value).trim() || undefined : undefined;
