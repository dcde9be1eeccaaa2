/** A part of a bill or of a payment. */
export interface MoneyPart {
  /** Pence with VAT, and the VAT in them. */
  gross: number;
  vat: number;
  isClientMoney: boolean;
}

/**
 * Splits an amount among parts. Client money comes first, part by part: it is held for something that the firm has to pay for the client.
 * The rest goes to the firm's own parts in proportion. Each share of a part has its share of the VAT. Pence that remain after
 * rounding go to the later parts, and the whole amount is always split.
 * @param amount pence, at most the sum of the parts
 * @returns one share for each part
 */
export function allocate(amount: number, parts: readonly MoneyPart[]): Pick<MoneyPart, 'gross' | 'vat'>[] {
  let left = amount;
  let officeLeft = sumOf(parts.filter(({ isClientMoney }) => !isClientMoney));
  const clientShares = parts.map(({ gross, isClientMoney }) => {
    const share = isClientMoney ? Math.min(left, gross) : 0;
    left -= share;
    return share;
  });
  return parts.map(({ gross, vat, isClientMoney }, index) => {
    if (isClientMoney) return shareOf({ gross, vat }, clientShares[index] ?? 0);
    const share = officeLeft === 0 ? 0 : Math.round((left * gross) / officeLeft);
    left -= share;
    officeLeft -= gross;
    return shareOf({ gross, vat }, share);
  });
}

const shareOf = ({ gross, vat }: Pick<MoneyPart, 'gross' | 'vat'>, share: number) => ({
  gross: share,
  vat: gross === 0 ? 0 : Math.round((vat * share) / gross),
});

const sumOf = (parts: readonly MoneyPart[]) => parts.reduce((sum, { gross }) => sum + gross, 0);

/** A line of a payment, as far as it matters to whom the money belongs. */
interface PaidLine {
  gross: number;
  client_money: boolean;
  bill_line?: number;
}

/** Returns the lines of a payment that pay its bill, without what was paid above it. */
export const linesOfBill = <Line extends PaidLine>(lines: readonly Line[]): Line[] =>
  // Servers of 0.2 named no line of the bill, and started payments of the firm's own lines only.
  lines.filter(({ client_money, bill_line }) => !client_money || bill_line !== undefined);

/**
 * Returns the client money in the first pence of a payment, by the same rule. So a refund of a part takes what was paid above the
 * bill first, which is the client's, and then the firm's money.
 * @param pence what was received of the payment, less refunds
 */
export function clientMoneyIn(lines: readonly PaidLine[], pence: number): number {
  const sum = (isClient: boolean) =>
    linesOfBill(lines).reduce(
      (total, { gross, client_money }) => total + (client_money === isClient ? gross : 0),
      0,
    );
  if (!lines.some(({ client_money }) => client_money)) return 0;
  return pence - Math.min(Math.max(0, pence - sum(true)), sum(false));
}
