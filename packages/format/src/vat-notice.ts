import { formatMoney } from './money.ts';

/**
 * Says on a receipt where VAT is shown, because no receipt is a VAT invoice: client money is no payment for a supply (HMRC manual
 * VATTOS8530), and the VAT invoice of a bill is the bill itself.
 * @param bill the bill that was paid, and the pence of it that were left after the payment; null if that was not recorded
 */
export function vatNotice({
  lines,
  bill,
}: {
  lines: readonly { client_money: boolean }[];
  bill: { number: string; left: number | null } | null;
}): string {
  if (bill) {
    if (bill.left === null) return `Payment towards bill ${bill.number}. VAT is on the bill.`;
    return bill.left > 0
      ? `Part payment of bill ${bill.number}. ${formatMoney(bill.left)} left. VAT is on the bill.`
      : `Payment of bill ${bill.number}. VAT is on the bill.`;
  }
  return lines.some(({ client_money }) => client_money)
    ? 'Receipt for money held on account. Not a VAT invoice: VAT is shown on our bill.'
    : 'This receipt is not a VAT invoice.';
}
