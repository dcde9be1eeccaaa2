import type { MatterType } from '@keyturn/contract';
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
  const written = readWritten(text);
  if (!written) {
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
    throw new CellProblem(`${quote(text)} isn’t an amount in pounds, such as £325,000.00`);
  return pence;
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

export interface PersonName {
  title?: string;
  first_name: string;
  last_name: string;
}

const titles = /^(mr|mrs|ms|miss|mx|dr|prof|professor|sir|dame|lord|lady|rev|revd|reverend)\.?\s+(?=\S)/i;

/** Divides a full name: the last word is the last name, unless a comma says otherwise. @throws CellProblem */
export function readFullName(text: string): PersonName {
  assertOnePerson(text);
  const [, found] = titles.exec(text) ?? [];
  const name = (found ? text.slice(found.length).replace(/^\./, '') : text).trim().replaceAll(/\s+/g, ' ');
  const [, lastFirst, firstLast] = /^([^,]+), ([^,]+)$/.exec(name) ?? [];
  const [first = '', last = ''] = lastFirst
    ? [firstLast, lastFirst]
    : [name.slice(0, name.lastIndexOf(' ')), name.slice(name.lastIndexOf(' ') + 1)];
  if (first === '' || last === '' || !name.includes(' '))
    throw new CellProblem(`${quote(text)} needs a first and a last name`);
  return { ...(found ? { title: found } : {}), first_name: first, last_name: last };
}

/** What a cell with a person’s name contains instead, with what to do. */
const otherNames: [pattern: RegExp, message: string][] = [
  [
    /\b(?:deceased|dec['’]?d|the late|late of)\b|\(dec\.?\)/i,
    'is about someone who has died. Enter the person who acts for them, and sign them in with their own address',
  ],
  [
    /\b(?:executors?|exors?|executrix|personal representatives?|trustees?|attorneys?|deputy|administrators?|estate of|c\/o)\b/i,
    'is a capacity, not a name. Enter the person who acts, and describe the capacity in the case title',
  ],
  [
    /\b(?:ltd|limited|plc|llp|cic|inc|gmbh|council|housing association|building society|charity|& co|and co)\b\.?/i,
    'is an organisation. Enter the person who acts for it, and name the organisation in the case title',
  ],
  [
    /[&+/]|\sand\s|\bmr\.? (?:and |& )?mrs\b/i,
    'is more than one person. Enter each in separate columns, with a separate email address',
  ],
];

/**
 * Checks that a cell is the name of one person, who signs in and signs documents.
 * @throws CellProblem with what to do
 */
export function assertOnePerson(text: string): void {
  const found = otherNames.find(([pattern]) => pattern.test(text));
  if (found) throw new CellProblem(`${quote(text)} ${found[1]}`);
}

/** Quotes a cell in a message: shortened, and without invisible characters. */
const quote = (text: string) => `“${text.length > 60 ? `${text.slice(0, 60)}…` : text}”`;
