/** The client's and the firm's money of a payment, in pence. */
export interface MoneyParts {
  client: number;
  office: number;
}

/** A line of a payment, as far as it matters to whom the money belongs. */
export interface PaidLine {
  gross: number;
  client_money: boolean;
  bill_line?: number;
}

/** Returns the lines of a payment that pay its bill, without what was paid above it. */
export const linesOfBill = <Line extends PaidLine>(lines: readonly Line[]): Line[] =>
  // Servers of 0.2 named no line of the bill, and started payments of the firm's own lines only.
  lines.filter(({ client_money, bill_line }) => !client_money || bill_line !== undefined);

/** Returns the parts of the first pence of a payment: first the client money of the bill, then the firm's money, then the rest. */
export function partsOf(lines: readonly PaidLine[], pence: number): MoneyParts {
  if (!lines.some(({ client_money }) => client_money)) return { client: 0, office: pence };
  const bill = sumsOf(linesOfBill(lines));
  const office = Math.min(Math.max(0, pence - bill.client), bill.office);
  return { client: pence - office, office };
}

const sumsOf = (lines: readonly PaidLine[]): MoneyParts => {
  const sumOf = (isClients: boolean) =>
    lines.reduce((sum, { gross, client_money }) => sum + (client_money === isClients ? gross : 0), 0);
  return { client: sumOf(true), office: sumOf(false) };
};

/**
 * Returns how much of a refund is the firm's money, in pence: what finance chose, or by default what was paid above the bill first, which
 * is the client's, and then the firm's money. It takes from no part more than is left of it.
 * @param left the parts that are not refunded
 * @param chosen null if no one chose
 */
export function officeOfRefund(
  lines: readonly PaidLine[],
  left: MoneyParts,
  { amount, chosen }: { amount: number; chosen: number | null },
): number {
  const surplus = Math.max(0, left.client - sumsOf(linesOfBill(lines)).client);
  const wanted = chosen ?? Math.max(0, amount - surplus);
  return Math.max(Math.min(Math.max(wanted, amount - left.client), left.office, amount), 0);
}

/** Returns how much of a refund that failed is the firm's money again, if it is not known how it was split. */
export function officeOfFailedRefund(lines: readonly PaidLine[], left: MoneyParts, amount: number): number {
  const bill = sumsOf(linesOfBill(lines));
  if (!lines.some(({ client_money }) => client_money)) return amount;
  const client = Math.min(amount, Math.max(0, bill.client - left.client));
  return Math.min(amount - client, Math.max(0, bill.office - left.office));
}

/** Returns the parts of a payment that are left after refunds, oldest first. */
export const partsAfter = (
  lines: readonly PaidLine[],
  amount: number,
  refunds: readonly { amount: number; office: number | null }[],
): MoneyParts =>
  refunds.reduce(
    (left, refund) => {
      const office = officeOfRefund(lines, left, { amount: refund.amount, chosen: refund.office });
      return { client: left.client - (refund.amount - office), office: left.office - office };
    },
    partsOf(lines, amount),
  );
