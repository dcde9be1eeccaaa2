import { cardNumberNotAllowed, hasCardNumber, passesLuhn } from '@keyturn/contract';

/** The card form's content as the client typed it. */
export interface CardInput {
  number: string;
  /** Month and year in any usual form: `08 28`, `8/2028`. */
  expiry: string;
  securityCode: string;
  name: string;
}

export interface Card {
  /** Digits only. */
  number: string;
  exp_month: number;
  exp_year: number;
  cvc: string;
  name: string;
}

export type CardFaults = Partial<Record<keyof CardInput, string>>;

/**
 * Checks the format of typed card details and converts them. Whether the card can pay is for the bank to decide.
 * @param today decides whether the card has expired: it is valid until the end of its expiry month
 */
export function readCard(input: CardInput, today: Date): { card: Card } | { faults: CardFaults } {
  const faults: CardFaults = {};
  const number = digitsOf(input.number);
  if (number === '') faults.number = 'Enter the card number.';
  else if (number.length < 12 || number.length > 19 || !passesLuhn(number)) {
    faults.number = 'Check the card number. At least one digit is wrong.';
  }
  const expiry = readExpiry(input.expiry);
  if (input.expiry.trim() === '') faults.expiry = 'Enter the expiry date.';
  else if (!expiry) faults.expiry = 'Enter the expiry date as month and year, for example 08 28.';
  else if (hasPassed(expiry, today)) faults.expiry = 'This card has expired. Try another card.';
  const cvc = digitsOf(input.securityCode);
  if (cvc.length < 3 || cvc.length > 4) faults.securityCode = 'Enter the 3 digits on the back of the card.';
  const name = input.name.trim();
  if (name === '') faults.name = 'Enter the name on the card.';
  else if (hasCardNumber(name)) faults.name = cardNumberNotAllowed;
  if (Object.keys(faults).length > 0 || !expiry) return { faults };
  return { card: { number, exp_month: expiry.month, exp_year: expiry.year, cvc, name } };
}

/** Groups the digits in fours, as they are printed on the card. */
export function groupDigits(typed: string): string {
  return digitsOf(typed)
    .slice(0, 19)
    .replaceAll(/(\d{4})(?=\d)/g, '$1 ');
}

const digitsOf = (typed: string) => typed.normalize('NFKC').replaceAll(/\D/g, '');

interface Expiry {
  month: number;
  year: number;
}

function readExpiry(typed: string): Expiry | undefined {
  const [, month, year] =
    /^\s*(0?[1-9]|1[0-2])\s*[/ .-]?\s*(\d{2}|20\d{2})\s*$/.exec(typed.normalize('NFKC')) ?? [];
  if (!month || !year) return undefined;
  return { month: Number(month), year: Number(year) + (year.length === 2 ? 2000 : 0) };
}

const hasPassed = ({ month, year }: Expiry, today: Date) =>
  year * 12 + month < today.getFullYear() * 12 + today.getMonth() + 1;
