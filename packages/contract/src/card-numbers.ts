/** The message for a card number in a field that is not meant for one. */
export const cardNumberNotAllowed = 'Do not type your card number here.';

/**
 * Whether a text contains a card number: 13 to 19 digits with an issuer's prefix and a valid check digit, in groups
 * as people write them: a day, an amount or a telephone number next to another number is none. We must not store card numbers (PCI DSS, 3.3). The cost is linear in the length of the text.
 */
export function hasCardNumber(text: string): boolean {
  for (const { groups } of findCardNumbers(normalise(text))) if (isWrittenAsCard(groups)) return true;
  return false;
}

/**
 * Replaces the card numbers in a text, for texts that are logged whatever they contain. A text without card numbers is
 * returned unchanged. Hides digits in other groups as well, because too much is better than too little in a log. The cost is linear in the length of the text.
 */
export function hideCardNumbers(text: string): string {
  const plain = normalise(text);
  let hidden = '';
  let end = 0;
  for (const found of findCardNumbers(plain)) {
    // Part of the previous number, which is already hidden.
    if (found.start < end) {
      end = Math.max(end, found.end);
      continue;
    }
    hidden += `${plain.slice(end, found.start)}[card number]`;
    end = found.end;
  }
  return end === 0 ? text : hidden + plain.slice(end);
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

/** In the NFKC form, full-width digits are digits. Invisible characters keep their place. */
const normalise = (text: string) => text.normalize('NFKC').replaceAll(/\p{Cf}/gu, ' ');

interface Span {
  start: number;
  /** The position after the last digit. */
  end: number;
  /** The number of digits in each group. */
  groups: number[];
}

/**
 * Finds card numbers in one pass: at the start of each group of digits, two running sums give the check sum of every
 * length that the issuer uses. Spans are in the order of their starts and may overlap.
 */
function* findCardNumbers(text: string): Generator<Span> {
  const masked = text.replace(ids, (id) => 'x'.repeat(id.length));
  for (const { 0: run, index } of masked.matchAll(groupsOfDigits)) {
    if (run.length < minDigits) continue;
    const { values, places, sums } = readDigits(run);
    if (masked[index - 1] === '+' && values.length <= maxPhoneDigits) continue;
    const isAdjacent = (first: number) => places[first] === (places[first - 1] ?? -2) + 1;
    for (let first = 0; first <= values.length - minDigits; first += 1) {
      if (isAdjacent(first)) continue;
      for (const length of lengthsByPrefix[(values[first] ?? 0) * 10 + (values[first + 1] ?? 0)] ?? []) {
        const next = first + length;
        if (next > values.length || isAdjacent(next)) continue;
        // The last digit is not doubled, so the digits of the other parity are.
        const sum = next % 2 === 0 ? sums.even : sums.odd;
        if (((sum[next] ?? 0) - (sum[first] ?? 0)) % 10 !== 0) continue;
        yield {
          start: index + (places[first] ?? 0),
          end: index + (places[next - 1] ?? 0) + 1,
          groups: groupSizes(places.slice(first, next)),
        };
      }
    }
  }
}

/** Returns the sizes of groups of adjacent digits. */
function groupSizes(places: readonly number[]): number[] {
  const sizes: number[] = [];
  for (const [index, place] of places.entries()) {
    if (place === (places[index - 1] ?? -2) + 1) sizes.push((sizes.pop() ?? 0) + 1);
    else sizes.push(1);
  }
  return sizes;
}

/**
 * Whether people write a card number in these groups: in one, in groups of one size with a rest, in fours of which some
 * are joined, or as American Express, Diners Club and Maestro print theirs.
 */
function isWrittenAsCard(groups: readonly number[]): boolean {
  const written = groups.join('-');
  const [size = 0] = groups;
  const inner = groups.slice(0, -1);
  return (
    groups.length === 1 ||
    printedGroups.has(written) ||
    (inner.every((digits) => digits === size) && (groups.at(-1) ?? 0) <= size) ||
    inner.every((digits) => digits % 4 === 0)
  );
}

const printedGroups = new Set(['4-6-5', '4-6-4', '4-6-6', '6-13', '6-10', '6-7', '4-11', '4-10']);

/**
 * Reads the digits of a text with their positions, and running check sums with the digits at even or odd positions
 * doubled.
 */
function readDigits(run: string) {
  const values: number[] = [];
  const places: number[] = [];
  const even = [0];
  const odd = [0];
  for (let place = 0; place < run.length; place += 1) {
    const value = run.charCodeAt(place) - 48;
    if (value < 0 || value > 9) continue;
    const doubled = value > 4 ? value * 2 - 9 : value * 2;
    const isEven = values.length % 2 === 0;
    even.push((even.at(-1) ?? 0) + (isEven ? doubled : value));
    odd.push((odd.at(-1) ?? 0) + (isEven ? value : doubled));
    values.push(value);
    places.push(place);
  }
  return { values, places, sums: { even, odd } };
}

const minDigits = 13;

/** The most digits of an international phone number, which starts with “+” (ITU-T E.164). */
const maxPhoneDigits = 15;

/**
 * The lengths of each issuer's cards by the first two digits. Exact lengths keep a sort code with an account number
 * from matching.
 */
const issuers: { from: number; to?: number; lengths: number[] }[] = [
  // Visa
  { from: 40, to: 49, lengths: [13, 16, 19] },
  // Mastercard
  { from: 51, to: 55, lengths: [16] },
  { from: 22, to: 27, lengths: [16] },
  // American Express
  { from: 34, lengths: [15] },
  { from: 37, lengths: [15] },
  // Diners Club
  { from: 30, lengths: [14] },
  { from: 36, lengths: [14] },
  { from: 38, to: 39, lengths: [14] },
  // JCB
  { from: 35, lengths: [16, 17, 18, 19] },
  // Maestro
  { from: 50, lengths: [13, 14, 15, 16, 17, 18, 19] },
  { from: 56, to: 58, lengths: [13, 14, 15, 16, 17, 18, 19] },
  // Discover and UnionPay
  { from: 60, to: 69, lengths: [13, 14, 15, 16, 17, 18, 19] },
];

const lengthsByPrefix = Array.from(
  { length: 100 },
  (_, prefix) => issuers.find(({ from, to = from }) => prefix >= from && prefix <= to)?.lengths ?? [],
);

/** Groups of digits with spaces, dots, slashes or dashes of any kind between them. */
const groupsOfDigits = /\d+(?:[\s._/|,:·•\u2212\p{Pd}]{1,3}\d+)*/gu;

/** UUIDs and SHA-256 hashes, whose digits can look like a card number. */
const ids = /\b(?:[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|[\da-f]{64})\b/gi;
