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
export function readOtherPaymentSearch(query: URLSearchParams): OtherPaymentSearch {
  const textOf = (name: string) => query.get(name)?.trim() || undefined;
  const amount = /^[1-9]\d*$/.test(query.get('amount') ?? '') ? Number(query.get('amount')) : Number.NaN;
  return {
    amount: Number.isSafeInteger(amount) ? amount : undefined,
    for: textOf('for')?.slice(0, 100),
    matter: textOf('matter'),
    bill: textOf('bill'),
  };
}
