import { isEmailAddress, type MatterType } from '@keyturn/contract';
import type { MilestonePath } from '@keyturn/contract/staff';
import { phoneProblemOf, readPhoneNumber } from '../../../platform/phone-numbers.ts';
import { meaningsOfShortDay } from '../../../platform/requests/short-days.ts';

/** Thrown for an invalid cell; the message is the reason, for the author of the spreadsheet. */
export class CellProblem extends Error {
  override name = 'CellProblem';
}

/** The possible readings of a date: day first, or month first. */
interface WrittenDay {
  year: number;
  first: number;
  second: number;
}

const iso = /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ]00:00(?::00(?:\.0+)?)?Z?)?$/;
const british = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})(?: 00:00(?::00)?)?$/;

/**
 * Reads a day such as `16/11/2026` or `2026-11-16`.
 * @param isMonthFirst whether another cell of the column can only be a date with the month first
 * @throws CellProblem
 */
export function readDay(text: string, isMonthFirst: boolean): string {
  const [, year, month, day] = iso.exec(text) ?? [];
  if (year !== undefined) return toDay(Number(year), Number(month), Number(day), text);
  const named = readNamedMonth(text);
  if (named && named.year > 99) return toDay(named.year, named.month, named.day, text);
  if (named)
    throw new CellProblem(
      `${text} needs a year with four digits: ${named.day}/${named.month}/${2000 + named.year}`,
    );
  const written = readWritten(text);
  if (!written) {
    refuseDayNumber(text);
    const meanings = meaningsOfShortDay(text).map((day) => day.split('-').reverse().join('/'));
    throw new CellProblem(
      meanings.length > 0
        ? `${text} needs a year with four digits: ${meanings.join(' or ')}`
        : `${quote(text)} isn’t a date. Write the day first, such as 16/11/2026`,
    );
  }
  const { first, second } = written;
  if (hasMonthFirst(text))
    throw new CellProblem(
      `${text} has the month first. Write the day first, such as ${second}/${first}/${written.year}`,
    );
  if (isMonthFirst && first <= 12 && first !== second)
    throw new CellProblem(
      `${text} is ambiguous, because other dates in this column have the month first. Write it as ${written.year}-MM-DD`,
    );
  return toDay(written.year, second, first, text);
}

/** Whether a text can only be a date with the month first, as American spreadsheets write it. */
export function hasMonthFirst(text: string): boolean {
  const written = readWritten(text);
  return written !== null && written.first <= 12 && written.second > 12 && written.second <= 31;
}

const weekday = '(?:(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?,? )?';
const dayThenMonth = new RegExp(
  `^${weekday}(\\d{1,2})(?:st|nd|rd|th)?[ .-]([a-z]{3,9})\\.?,?[ .-](\\d{4}|\\d{2})$`,
  'i',
);
const monthThenDay = new RegExp(
  `^${weekday}([a-z]{3,9})\\.? (\\d{1,2})(?:st|nd|rd|th)?,? (\\d{4}|\\d{2})$`,
  'i',
);
const months = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
];

/** Reads a date whose month is a word, such as `27 Nov 2026`. The year may have two digits. */
function readNamedMonth(text: string): { year: number; month: number; day: number } | null {
  const [, dayFirst, monthSecond, yearLast] = dayThenMonth.exec(text) ?? [];
  const [, monthFirst, daySecond, yearAfter] = monthThenDay.exec(text) ?? [];
  const name = (monthSecond ?? monthFirst)?.toLowerCase();
  const month = months.findIndex((each) => name !== undefined && each.startsWith(name));
  if (month === -1) return null;
  return {
    year: Number(yearLast ?? yearAfter),
    month: month + 1,
    day: Number(dayFirst ?? daySecond),
  };
}

/** Refuses the number by which Excel stores a day. It is not converted: some files count from 1904. @throws CellProblem */
function refuseDayNumber(text: string): void {
  const [, days] = /^(\d{5,6})(?:\.0+)?$/.exec(text) ?? [];
  if (days === undefined || Number(days) > 109_574) return;
  const day = new Date(Date.UTC(1899, 11, 30 + Number(days)));
  throw new CellProblem(
    `${text} is how Excel stores a day, perhaps ${day.getUTCDate()}/${day.getUTCMonth() + 1}/${day.getUTCFullYear()}. Format the column as a date, and save the file again`,
  );
}

function readWritten(text: string): WrittenDay | null {
  const [, first, second, year] = british.exec(text) ?? [];
  return year === undefined ? null : { year: Number(year), first: Number(first), second: Number(second) };
}

function toDay(year: number, month: number, day: number, text: string): string {
  const date = new Date(Date.UTC(year, month - 1, day));
  const isReal = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  if (!isReal || year < 1900 || year > 2199) throw new CellProblem(`${text} is not a day of the calendar`);
  return date.toISOString().slice(0, 10);
}

const pounds = /^£?\s?(\d{1,3}(?:,\d{3})+|\d{1,12})(?:\.(\d{1,2}))?$/;

/** Reads an amount such as `£325,000.00` or `325000`. @returns pence @throws CellProblem */
export function readMoney(text: string): number {
  const [, whole, part = ''] = pounds.exec(text) ?? [];
  const pence = whole === undefined ? Number.NaN : Number(whole.replaceAll(',', '') + part.padEnd(2, '0'));
  if (!(pence <= maxPence))
    throw new CellProblem(
      `${quote(text)} ${problemOfShortAmount(text) ?? 'isn’t an amount in pounds, such as £325,000.00'}`,
    );
  return pence;
}

/** Says how to write an amount that people understand and programs misread; null for other texts. */
function problemOfShortAmount(text: string): string | null {
  const [, count, unit] = /^£?\s?(\d{1,6}(?:\.\d{1,6})?)\s?([km])$/i.exec(text) ?? [];
  if (count !== undefined) {
    const whole = Math.round(Number(count) * (unit?.toLowerCase() === 'k' ? 1_000 : 1_000_000));
    return `is shortened. Write the whole amount, such as £${whole.toLocaleString('en-GB')}`;
  }
  const [, digits, cents] = /^£?\s?(\d{1,3}(?:\.\d{3})+),(\d{2})$/.exec(text) ?? [];
  if (digits !== undefined)
    return `has a decimal comma. Write it as £${digits.replaceAll('.', ',')}.${cents}`;
  const [, spaced] = /^£?\s?(\d{1,3}(?:\s\d{3})+)$/.exec(text) ?? [];
  return spaced === undefined ? null : `has spaces. Write it as £${spaced.replaceAll(/\s/g, ',')}`;
}

/** A billion pounds. */
const maxPence = 100_000_000_000;

/** Checks that a spreadsheet program has not rounded a long number, such as to 1.23E+05. @throws CellProblem */
export function assertNotShortened(text: string): void {
  if (/^\d[.,]?\d*E\+\d+$/i.test(text))
    throw new CellProblem(
      `${text} was shortened by the spreadsheet. Format the column as text, and enter the number again`,
    );
}

/** Reads a telephone number, which a spreadsheet may have changed. @returns it as it is stored @throws CellProblem */
export function readPhone(text: string): string {
  assertNotShortened(text);
  const number = readPhoneNumber(text);
  if (number === null) throw new CellProblem(`${quote(text)} ${phoneProblemOf(text)}`);
  return number;
}

/** @throws CellProblem */
export function readEmail(text: string): string {
  if (!isEmailAddress(text)) throw new CellProblem('isn’t an email address');
  return text;
}

/** Reads a postcode of the United Kingdom. @returns it in its usual form @throws CellProblem */
export function readPostcode(text: string): string {
  const compact = text.toUpperCase().replaceAll(/\s/g, '');
  if (!/^[A-Z]{1,2}\d[A-Z\d]?\d[A-Z]{2}$/.test(compact))
    throw new CellProblem(`${quote(text)} isn’t a postcode, such as BA1 2AB`);
  return `${compact.slice(0, -3)} ${compact.slice(-3)}`;
}

const keyOf = (text: string) => text.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

const matterTypesByWord: Record<string, MatterType> = {
  purchase: 'purchase',
  buy: 'purchase',
  buying: 'purchase',
  sale: 'sale',
  sell: 'sale',
  selling: 'sale',
  remortgage: 'remortgage',
  refinance: 'remortgage',
  transferofequity: 'transfer-of-equity',
  transfer: 'transfer-of-equity',
  toe: 'transfer-of-equity',
};

/** @throws CellProblem */
export function readMatterType(text: string): MatterType {
  const type = find(matterTypesByWord, keyOf(text));
  if (!type)
    throw new CellProblem(
      `${quote(text)} isn’t a matter type: write purchase, sale, remortgage or transfer of equity`,
    );
  return type;
}

const tenuresByWord = {
  freehold: 'freehold',
  fh: 'freehold',
  leasehold: 'leasehold',
  lh: 'leasehold',
  commonhold: 'commonhold',
} as const;

/** @throws CellProblem */
export function readTenure(text: string): 'freehold' | 'leasehold' | 'commonhold' {
  const tenure = find(tenuresByWord, keyOf(text));
  if (!tenure)
    throw new CellProblem(`${quote(text)} isn’t a tenure: write freehold, leasehold or commonhold`);
  return tenure;
}

/**
 * Reads the last day of the right to cancel, `none` or `unknown`.
 * @throws CellProblem
 */
export function readCancellation(text: string, isMonthFirst: boolean): string {
  const key = keyOf(text);
  return key === 'none' || key === 'unknown' ? key : readDay(text, isMonthFirst);
}

/** Reads yes or no. @throws CellProblem */
export function readYesOrNo(text: string): 'yes' | 'no' {
  const answer = find(
    { yes: 'yes', y: 'yes', true: 'yes', no: 'no', n: 'no', false: 'no' } as const,
    keyOf(text),
  );
  if (!answer) throw new CellProblem(`${quote(text)} isn’t an answer: write yes or no`);
  return answer;
}

const find = <Value>(words: Record<string, Value>, key: string): Value | undefined =>
  Object.hasOwn(words, key) ? words[key] : undefined;

/** Finds the key of a milestone by its key or title. @throws CellProblem */
export function readMilestone(text: string, { steps }: MilestonePath): string {
  const found = steps.find(({ key, title }) => [keyOf(key), keyOf(title)].includes(keyOf(text)));
  if (!found)
    throw new CellProblem(
      `${quote(text)} isn’t a milestone of this matter type. Write one of: ${steps.map(({ title }) => title).join(', ')}`,
    );
  return found.key;
}

/** Quotes a cell in a message: shortened, and without invisible characters. */
export const quote = (text: string) => `“${text.length > 60 ? `${text.slice(0, 60)}…` : text}”`;
