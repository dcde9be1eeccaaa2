import type { MoneyParts } from '../records/money-parts.ts';

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
  const client = Math.min(amount, sumOf(parts.filter(({ isClientMoney }) => isClientMoney)));
  return allocateParts({ client, office: amount - client }, parts);
}

/** Splits client money and the firm's money among the parts of each, as `allocate` does. */
export function allocateParts(
  { client, office }: MoneyParts,
  parts: readonly MoneyPart[],
): Pick<MoneyPart, 'gross' | 'vat'>[] {
  let clientLeft = client;
  let left = office;
  let officeLeft = sumOf(parts.filter(({ isClientMoney }) => !isClientMoney));
  const clientShares = parts.map(({ gross, isClientMoney }) => {
    const share = isClientMoney ? Math.min(clientLeft, gross) : 0;
    clientLeft -= share;
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
