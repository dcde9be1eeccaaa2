/** What may stand in the address of the screen for other payments, to fill its form in beforehand. */
export interface OtherPaymentSearch {
  /** Pence. */
  amount?: number;
  /** What it is for: becomes the reference. */
  for?: string;
  /** The id of the matter that it is for. */
  matter?: string;
}

/** Takes what is sound of an address and leaves the rest. */
export function readOtherPaymentSearch(found: Record<string, unknown>): OtherPaymentSearch {
  const { amount, matter } = found;
  const reason = typeof found.for === 'number' ? String(found.for) : found.for;
  return {
    ...(typeof amount === 'number' && Number.isSafeInteger(amount) && amount > 0 ? { amount } : {}),
    ...(typeof reason === 'string' && reason.trim() !== '' ? { for: reason.trim().slice(0, 100) } : {}),
    ...(typeof matter === 'string' ? { matter } : {}),
  };
}
