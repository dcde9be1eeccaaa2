/** What is answered, and shown, where a card number stands in a field that is not for one. */
export const cardNumberNotAllowed = 'Do not type your card number here.';

/**
 * Whether somebody has typed a card number in a text: 13 to 19 digits whose check digit is right, alone or in groups,
 * which begin as those of cards do. Nothing of ours may keep one (PCI DSS, 3.3).
 */
export function hasCardNumber(text: string): boolean {
  return findCardNumbers(text).length > 0;
}

/** A text without the card numbers in it, for where it must be written down whatever it is. */
export function hideCardNumbers(text: string): string {
  const plain = text.normalize('NFKC');
  let hidden = plain;
  for (const number of findCardNumbers(text)) hidden = hidden.replaceAll(number, '[card number]');
  return hidden;
}

/** The check digit of ISO/IEC 7812-1, annex B. */
export function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let index = 0; index < digits.length; index += 1) {
    const digit = Number(digits.at(-1 - index));
    const weighted = index % 2 === 1 ? digit * 2 : digit;
    sum += weighted > 9 ? weighted - 9 : weighted;
  }
  return sum % 10 === 0;
}

/** As they stand in the text, in its plain form: full-width digits are digits too. */
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
  // The longest first: a shorter one may be a part of it.
  return found.sort((one, other) => other.length - one.length);
}

const isCardNumber = (digits: string) => issued.test(digits) && passesLuhn(digits);

/**
 * Visa; Mastercard; American Express; Diners Club; JCB; Maestro; Discover, UnionPay and Maestro: with the lengths that
 * they issue, so that a sort code with an account number is none.
 */
const issued =
  /^(?:4\d{12}(?:\d{3}){0,2}|(?:5[1-5]|2[2-7])\d{14}|3[47]\d{13}|3[0689]\d{12}|35\d{14,17}|5[06-8]\d{11,17}|6\d{12,18})$/;

/** As card numbers are written: spaces, dots, dashes between them. */
const groupsOfDigits = /\d+(?:[\s._–-]{1,3}\d+)*/g;

/** Our own ids and fingerprints, whose digits may be anything. */
const ids = /\b(?:[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|[\da-f]{64})\b/gi;
