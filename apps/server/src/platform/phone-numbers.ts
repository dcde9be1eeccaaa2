import { removeInvisible } from '@keyturn/contract';
import { parsePhoneNumberFromString } from 'libphonenumber-js';
import { invalidInput } from './domain-error.ts';

/*
 * Telephone numbers at every door. They are stored in E.164, with an extension as in RFC 3966, and shown by
 * `@keyturn/format/phone-number`. The library is too large for browsers.
 */

/** The most characters of a number with labels and spaces. */
const maxLength = 50;

/**
 * Reads a telephone number, as people in Britain write it or with the code of its country. Numbers only have to be possible:
 * those that regulators keep for examples are in no list of numbers in use.
 * @returns it as it is stored, such as `+441174960101;ext=12`; null if the text is not one number
 */
export function readPhoneNumber(text: string): string | null {
  if (text.length > maxLength) return null;
  const known = recent.get(text);
  if (known !== undefined) return known;
  if (recent.size >= maxRecent) recent.clear();
  const read = parse(text);
  recent.set(text, read);
  return read;
}

/**
 * The latest texts. Reading one takes 50 µs, and an import reads each several times: to check it, to compare it and to store it.
 */
const recent = new Map<string, string | null>();
const maxRecent = 10_000;

function parse(text: string): string | null {
  const parsed = parsePhoneNumberFromString(plainOf(text), { defaultCountry: 'GB', extract: false });
  if (!parsed?.isPossible() || (parsed.ext?.length ?? 0) > maxExtension) return null;
  const { countryCallingCode, nationalNumber, number, ext } = parsed;
  if (countryCallingCode === '44' && !british.test(nationalNumber)) return null;
  return ext ? `${number};ext=${ext}` : number;
}

/** A longer one is a second number. */
const maxExtension = 6;

/** The whole numbers of the British plan, which includes the Channel Islands and the Isle of Man: with an area code. */
const british = /^(?:[1-357-9]\d{9}|1(?:[2-69][02-9]|[78]\d)\d{6}|800\d{6}|8001111|845464\d)$/;

const label = '(?:tel|telephone|phone|mob|mobile|home|work|office|direct|h|m|t|w|o)';
const labelBefore = new RegExp(`^${label}\\b[.:]*\\s*`, 'i');
const labelAfter = new RegExp(`\\s*(?:\\(${label}\\)|\\b${label})$`, 'i');

/** Marks of the direction of text, which address books put around a number. */
const directions = /\p{Bidi_Control}/gu;

/** Removes what spreadsheets, address books and people write around a number. */
const plainOf = (text: string): string =>
  removeInvisible(text.replaceAll(directions, ''))
    .normalize('NFKC')
    .trim()
    .replace(/^'/, '')
    .replace(labelBefore, '')
    .replace(labelAfter, '')
    .replace(/^\((\+\d{1,3})\)/, '$1')
    // Of a spreadsheet that stored it as an amount.
    .replace(/^(\d{9,15})[.,]0+$/, '$1')
    .replace(/\(((?:ext|x)[^()]*)\)$/i, '$1');

/** @returns why a text is not a telephone number, for its author; null if it is one */
export function phoneProblemOf(text: string): string | null {
  if (readPhoneNumber(text) !== null) return null;
  return hasTwoNumbers(text)
    ? 'has more than one telephone number: give one'
    : 'is not a telephone number, such as 0117 496 0101 or +353 1 555 0123';
}

const minDigits = 6;
const hasTwoNumbers = (text: string): boolean =>
  text
    .slice(0, maxLength)
    .split(/[^\d\s().+-]+|[\n+]|\s(?=0(?:\s?\d){8})/)
    .filter((part) => part.replaceAll(/\D/g, '').length >= minDigits).length > 1;

/** @returns a number as it is stored; a text that an earlier release stored, and that is not a number, as it is */
export const storedPhone = (text: string): string => readPhoneNumber(text) ?? text;

/** Tells whether two stored numbers differ only in how they are written: an earlier release stored them as typed. */
export const isSamePhone = (one: string | null, other: string | null): boolean =>
  one === other || (one !== null && other !== null && storedPhone(one) === storedPhone(other));

/** Tells whether two stored numbers reach the same line: people leave extensions out when they copy a number. */
export const isSameLine = (one: string | null, other: string | null): boolean =>
  isSamePhone(withoutExtension(one), withoutExtension(other));

const withoutExtension = (phone: string | null) => phone && storedPhone(phone).replace(/;ext=.*/, '');

/**
 * Reads a telephone number of a request.
 * @param field its path in the request
 * @throws DomainError `invalid_input`
 */
export function requirePhone(text: string, field: string): string {
  const problem = phoneProblemOf(text);
  if (problem !== null) throw invalidInput(field, problem);
  return storedPhone(text);
}
