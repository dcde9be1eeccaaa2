/**
 * Returns what a receipt says about VAT: the firm's VAT number if it charged VAT, or that it is not a VAT invoice.
 * @param vat the VAT that the receipt includes, in pence
 */
export function vatNotice(
  vat: number,
  vatNumber: string | null,
): { number: string; notice: null } | { number: null; notice: string } {
  if (vat > 0 && vatNumber) return { number: vatNumber, notice: null };
  const notice = 'This receipt is not a VAT invoice.';
  return { number: null, notice: vat > 0 ? notice : `${notice} It includes no VAT.` };
}
