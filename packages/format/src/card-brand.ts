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
