import { vatOf } from '@keyturn/format/vat';

/** The form of a price. */
export interface EnteredPrice {
  /** Pounds, without VAT. */
  net: string;
  /** Percent. */
  vat_rate: string;
}

/** Fills the fields of a price. */
export const enteredPrice = ({ net, vat_rate }: { net: number; vat_rate: number }): EnteredPrice => ({
  net: (net / 100).toFixed(2),
  vat_rate: String(vat_rate),
});

/** Returns the amount that a client pays, in pence, rounded half up; null while the price is invalid. */
export function grossOf({ net, vat_rate }: EnteredPrice): number | null {
  const [pence, rate] = [readPence(net), readNumber(vat_rate)];
  if (pence === null || rate === null) return null;
  return pence + vatOf(pence, rate);
}

/** Reads pounds such as `1,234.50` as pence; null for anything else. */
export const readPence = (text: string): number | null =>
  /^£?\d{1,3}(,?\d{3})*(\.\d{1,2})?$/.test(text.trim())
    ? Math.round(Number(text.replaceAll(/[£,\s]/g, '')) * 100)
    : null;

export const readNumber = (text: string): number | null =>
  /^\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : null;
