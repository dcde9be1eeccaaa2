import { formatMoney } from './money.ts';

/**
 * Says on a receipt where VAT is shown, because no receipt is a VAT invoice: client money is no payment for a supply (HMRC manual
 * VATTOS8530), and the VAT invoice of a bill is the bill itself.
 * @param kind of the payment: the firm's own money in one for a search repays what the firm paid for the client
 * @param lines what the payment pays, in pence
 * @param bill the bill that was paid, and the pence of it that were left after the payment; null if that was not recorded
 */
export function vatNotice({
  kind,
  lines,
  bill,
}: {
  kind: 'search' | 'other';
  lines: readonly { client_money: boolean; gross: number }[];
  bill: { number: string; left: number | null } | null;
}): string {
  const sumOf = (isClients: boolean) =>
    lines.reduce((sum, { client_money, gross }) => sum + (client_money === isClients ? gross : 0), 0);
  const clientMoney = sumOf(true);
  if (bill) {
    return [
      bill.left === null
        ? `Payment towards bill ${bill.number}.`
        : bill.left > 0
          ? `Part payment of bill ${bill.number}. ${formatMoney(bill.left)} left.`
          : `Payment of bill ${bill.number}.`,
      'VAT is on the bill.',
      ...(clientMoney > 0
        ? [
            `${formatMoney(clientMoney)} of this payment was received for you as client money. It is not a payment for our services.`,
          ]
        : []),
    ].join(' ');
  }
  const repaid = kind === 'search' ? sumOf(false) : 0;
  if (repaid > 0) {
    const whose =
      clientMoney > 0
        ? `${formatMoney(repaid)} of this payment repays us for what you ordered, and ${formatMoney(clientMoney)} was received on account.`
        : 'This payment repays us for what you ordered.';
    return `${whose} Not a VAT invoice: VAT is shown on our bill.`;
  }
  return clientMoney > 0
    ? 'Receipt for money held on account. Not a VAT invoice: VAT is shown on our bill.'
    : 'This receipt is not a VAT invoice.';
}
