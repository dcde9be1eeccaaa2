/** Returns the name of a card brand for people: `visa` becomes "Visa", an unknown brand "Card". */
export const cardBrandName = (brand: string): string => names[brand.toLowerCase()] ?? 'Card';

const names: Record<string, string> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'American Express',
  discover: 'Discover',
  diners: 'Diners Club',
  jcb: 'JCB',
  unionpay: 'UnionPay',
};

const walletNames: Record<string, string> = { apple_pay: 'Apple Pay', google_pay: 'Google Pay' };

/** Returns the name of a wallet for people: `apple_pay` becomes "Apple Pay"; null for a card without a known wallet. */
export const walletName = (wallet: string | null): string | null =>
  (wallet !== null && walletNames[wallet]) || null;

/** How receipts and emails name a payment from the client's bank account. */
export const payByBank = 'Pay by bank, from the payer’s own account';

/** Returns a card as receipts, emails and screens name it: "Visa ending 4242", "Apple Pay, Visa ending 4242". */
export function cardText({
  brand,
  last4,
  wallet,
}: {
  brand: string;
  last4: string;
  wallet: string | null;
}): string {
  const card = `${cardBrandName(brand)} ending ${last4}`;
  const name = walletName(wallet);
  return name ? `${name}, ${card}` : card;
}
