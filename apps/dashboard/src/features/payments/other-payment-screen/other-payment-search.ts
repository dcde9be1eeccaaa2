/** What may stand in the address of the screen for other payments, to fill its form in beforehand. */
export interface OtherPaymentSearch {
  /** Pence. */
  amount?: number | undefined;
  /** What it is for: becomes the reference. */
  for?: string | undefined;
  /** The id of the matter that it is for. */
  matter?: string | undefined;
}

/**
 * Takes what is sound of an address. The rest is named and undefined: the router would keep what is only left out as
 * it was found.
 */
export function readOtherPaymentSearch({
  amount,
  for: reason,
  matter,
}: Record<string, unknown>): OtherPaymentSearch {
  return {
    amount: typeof amount === 'number' && Number.isSafeInteger(amount) && amount > 0 ? amount : undefined,
    for: textOf(reason)?.slice(0, 100),
    matter: textOf(matter),
  };
}

/** A text of digits alone arrives as a number. */
const textOf = (found: unknown): string | undefined =>
  typeof found === 'string' || typeof found === 'number' ? String(found).trim() || undefined : undefined;
