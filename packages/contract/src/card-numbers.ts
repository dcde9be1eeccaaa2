/** The message for a card number in a field that is not meant for one. */
export const cardNumberNotAllowed = 'Do not type your card number here.';

/**
 * Whether a text contains a card number: 13 to 19 digits with an issuer's prefix and a valid check digit, in one or more
 * groups. We must not store card numbers (PCI DSS, 3.3).
 */
export function hasCardNumber(text: string): boolean {
  return findCardNumbers(text).length > 0;
}

/** Replaces the card numbers in a text, for texts that are logged whatever they contain. */
export function hideCardNumbers(text: string): string {
  const plain = text.normalize('NFKC');
  let hidden = plain;
  for (const number of findCardNumbers(text)) hidden = hidden.replaceAll(number, '[card number]');
  return hidden;
}

/** Whether the check digit is valid (ISO/IEC 7812-1, annex B). */
export function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let index = 0; index < digits.length; index += 1) {
    const digit = Number(digits.at(-1 - index));
    const weighted = index % 2 === 1 ? digit * 2 : digit;
    sum += weighted > 9 ? weighted - 9 : weighted;
  }
  return sum % 10 === 0;
}

/** The card numbers as they are written in the NFKC form of the text, in which full-width digits are digits. */
function findCardNumbers(text: string): string[] {
  const found: string[] = [];
  for (const { 0: run } of text.normalize('NFKC').replaceAll(ids, ' ').matchAll(groupsOfDigits)) {
    const groups = [...run.matchAll(/\d+/g)];
    for (const [at, first] of groups.entries()) {
      let digits = '';
      for (const group of groups.slice(at, at + 19)) {
        digits += group[0];
        if (isCardNumber(digits)) found.push(run.slice(first.index, group.index + group[0].length));
      }
    }
  }
  // The longest first, because a shorter one may be part of it.
  return found.sort((one, other) => other.length - one.length);
}

const isCardNumber = (digits: string) => issued.test(digits) && passesLuhn(digits);

/**
 * Prefixes and lengths of Visa, Mastercard, American Express, Diners Club, JCB, Maestro, and Discover with UnionPay.
 * Exact lengths keep a sort code with an account number from matching.
 */
const issued =
  /^(?:4\d{12}(?:\d{3}){0,2}|(?:5[1-5]|2[2-7])\d{14}|3[47]\d{13}|3[0689]\d{12}|35\d{14,17}|5[06-8]\d{11,17}|6\d{12,18})$/;

/** Groups of digits with spaces, dots or dashes between them. */
const groupsOfDigits = /\d+(?:[\s._–-]{1,3}\d+)*/g;

/** UUIDs and SHA-256 hashes, whose digits can look like a card number. */
const ids = /\b(?:[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|[\da-f]{64})\b/gi;
