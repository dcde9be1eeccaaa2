/**
 * The message for text with bank details. Clients know that we never send them like this, so they recognise fraud.
 */
export const bankDetailsNotAllowed =
  'Don’t write a sort code and account number here. Give bank details by telephone, or in a document.';

/** The question about text that may or may not have bank details. */
export const isThisBankAccount =
  'Is this a bank account? Clients know that we never send sort codes and account numbers here, and so recognise fraud.';

/** The header of a request whose sender has answered the question with no. Its value is `no`. */
export const bankAccountHeader = 'x-bank-account';

/** Whether a text has, or may have, bank details. */
export const hasBankDetails = (text: string): boolean => findBankDetails(text) !== null;

/**
 * Finds a sort code that is named as one, a sort code with an account number, or an IBAN. Dates, telephone numbers and
 * prices are neither, unless the words next to them say so. The cost is linear in the length of the text.
 * @returns `possible` for numbers that can be something else, such as a day and a reference, without a word about banks or
 *   paying: only a person can tell
 */
export function findBankDetails(text: string): 'certain' | 'possible' | null {
  if (!anyDigits.test(text)) return null;
  const plain = simplify(text);
  if (hasIban(plain)) return 'certain';
  const masked = plain.replace(otherNumbers, (number) => '~'.repeat(number.length));
  if (namedSortCode.test(masked)) return 'certain';
  const areNamed = bankWords.test(masked);
  if (hasJoinedNumber(masked)) return areNamed ? 'certain' : 'possible';
  const sortCodes = [...masked.matchAll(sortCode)].map(readSortCode);
  const accounts = [...masked.matchAll(accountNumber)].filter(({ 0: digits }) => !years.test(digits));
  if (sortCodes.length === 0 || accounts.length === 0) return null;
  if (sortCodes.some(({ isClear }) => isClear)) return 'certain';
  // Both lists are in the order of the text, so the neighbours of each sort code are found in one pass.
  let next = 0;
  for (const found of sortCodes) {
    while (next < accounts.length && (accounts[next]?.index ?? 0) < found.end) next += 1;
    for (const account of [accounts[next - 1], accounts[next]]) {
      if (!account) continue;
      const [from, to] =
        account.index < found.start
          ? [account.index + account[0].length, found.start]
          : [found.end, account.index];
      if (to < from) continue;
      const between = masked.slice(from, Math.min(to, from + maxDistance + 1));
      if (between.length > maxDistance) continue;
      const isNamed = areNamed && accountName.test(before(masked, account.index));
      if (isNamed || (found.isDate ? onlyMarks : onlyNames).test(between))
        return areNamed ? 'certain' : 'possible';
    }
  }
  return null;
}

/** The most characters between a sort code and the account number that belongs to it. */
const maxDistance = 60;

const anyDigits = /\p{N}(?:\P{N}{0,60}\p{N}){5}/u;

/**
 * Full-width digits become digits, every hyphen, dash and minus “-”, every space “ ”; invisible characters disappear, and
 * digits with a space or dash between any two of them become one number.
 */
const simplify = (text: string) =>
  text
    .normalize('NFKC')
    .replaceAll(/\p{Cf}/gu, '')
    .replaceAll(/[\p{Pd}\u2212\u2043\u00af]/gu, '-')
    .replaceAll(/\s/gu, ' ')
    .replaceAll(/(?<![\w£.,-])\d(?:[ ._/-]{1,3}\d(?!\d)){5,}/g, (spaced) => spaced.replaceAll(/\D/g, ''))
    .replaceAll(/(?<![a-z])(sort ?code|sort|s\/?c|account|acc?t?|a\/c|number|no|num)(?=\d)/gi, '$1 ');

/** Days with a year, telephone numbers with their area code, prices, ids. */
const otherNumbers = new RegExp(
  [
    // 24.12.2026, 24/12/2026 and 2026-12-24, also with a time
    '(?<![\\d])(?:0?[1-9]|[12]\\d|3[01])([ ./-])(?:0?[1-9]|1[0-2])\\1(?:19|20|21)\\d\\d(?!\\d)',
    '(?<![\\d])(?:19|20|21)\\d\\d([./-])(?:0[1-9]|1[0-2])\\2(?:0[1-9]|[12]\\d|3[01])(?!\\d)',
    '(?<!\\d)(?:19|20|21)\\d\\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\\d|3[01])(?:[01]\\d|2[0-3])(?:[0-5]\\d){2}(?!\\d)',
    // +44 (0)117 496 0100
    '(?:\\+|(?<!\\d)00 ?)44[ .-]?(?:\\(0\\)[ .-]?)?(?:\\d[ .-]?){8,9}\\d(?!\\d)',
    '(?<![\\d])(?<!\\d[.-])(?:' +
      [
        '\\(?0\\d{4}\\)?[ .-]{1,2}\\d{5,6}',
        '\\(?0\\d{4}\\)?[ .-]\\d{3}[ .-]\\d{3}',
        '\\(?0\\d{4}\\)?[ .-]\\d{2}[ .-]\\d{2}[ .-]\\d{2}',
        '\\(?0\\d{3}\\)?[ .-]{1,2}\\d{3}[ .-]\\d{3,4}',
        '\\(?0\\d{3}\\)?[ .-]{1,2}\\d{6,7}',
        '\\(?0\\d{3}\\)?[ .-]\\d{2}[ .-]\\d{2}[ .-]\\d{2,3}',
        '\\(?0\\d{2}\\)?[ .-]{1,2}\\d{4}[ .-]?\\d{4}',
        '0\\d{9,10}',
      ].join('|') +
      ')(?!\\d)',
    '[£$€] ?\\d{1,3}(?:,\\d{3})*(?:\\.\\d\\d?)?(?!\\d)',
    '[£$€] ?\\d+(?:\\.\\d\\d?)?(?!\\d)',
    '\\b[\\da-f]{8}(?:-[\\da-f]{4}){3}-[\\da-f]{12}\\b',
  ].join('|'),
  'gi',
);

/** Up to four marks, or the words that say what a number is. */
const names =
  '(?:the|our|your|client|business|current|savings|sort|code|bank|account|acct?|a/c|s/?c|no|num|number|numbers|is|and|with|to|for|of|[ :;,./|()#=&+*_"“”\'’-])';
const onlyNames = new RegExp(`^${names}*$`, 'i');
const onlyMarks = /^[ ;,/|-]{1,4}$/;

/** A sort code that its own words name: it needs no account number. */
const namedSortCode =
  /(?<![a-z])(?:sort(?:ing)?[ -]?code|s\/c)(?:[ :;,.()#=-]|is|no|number){0,6}(?:\d{6}|\d\d([ ./-]{1,3})\d\d[ ./-]{1,3}\d\d)(?!\d)|(?<![\w£])\d\d[ -]\d\d[ -]\d\d[ ,(]{1,3}sort[ -]?code/i;

/** Three pairs of digits, or six digits. They are no part of a longer number, price or reference. */
const sortCode =
  /(?<![\w£]|\d[.,-]|[a-z][/-])(?:\d{2}(?: ?[./-] ?| )\d{2}(?: ?[./-] ?| )\d{2}|\d{6})(?!\d|[.,]\d|%)/gi;

function readSortCode({ 0: text, index }: RegExpMatchArray & { index: number }) {
  const [first = 0, second = 0, third = 0] = text.replaceAll(/\D/g, '').match(/\d\d/g)?.map(Number) ?? [];
  const isPairs = text.length > 6;
  const isDate =
    isPairs && first >= 1 && first <= 31 && second >= 1 && second <= 12 && !/ /.test(text) && third < 100;
  return {
    start: index,
    end: index + text.length,
    isPairs,
    isDate,
    /** Nothing else is written like this. */
    isClear: isPairs && !isDate && /^\d\d ?- ?\d\d ?- ?\d\d$/.test(text),
  };
}

const accountNumber =
  /(?<![\w£]|\d[.,]|[a-z]-)(?:\d{8}|\d{4}(?: ?[./-] ?| )\d{4}|\d\d([ ./-])\d\d\1\d\d\1\d\d)(?!\d|[.,]\d|[-/]\d{1,3}(?!\d)|%)/gi;
const years = /^(?:19|20|21)\d\d[ ./-](?:19|20|21)\d\d$/;
const accountName = /(?<![a-z])(?:account|acct?|a\/c)(?: (?:no|num|number))?\.?[ :;#=-]{0,3}(?:is )?$/i;
const bankWords =
  /(?<![a-z])(?:sort|bank(?! holiday)|payee|bacs|chaps|iban|pay(?:ing)?(?! by)|send(?:ing)? (?:the|your|our|this|all)? ?(?:money|funds|balance|deposit|payment)|transfer(?: it| the \w+| your \w+)? to|faster payments?|barclays|lloyds|natwest|hsbc|santander|nationwide|monzo)(?![a-z])/i;

const before = (text: string, index: number) => text.slice(Math.max(0, index - 30), index);

/** A sort code directly followed by an account number. */
const hasJoinedNumber = (text: string) => /(?<![\da-z][.,-]?)\d{14}(?!\d|[.,]\d)/i.test(text);

function hasIban(text: string): boolean {
  for (const { 0: found } of text.matchAll(iban)) {
    const characters = found.replaceAll(/[^a-z\d]/gi, '').toUpperCase();
    const length = ibanLengths[characters.slice(0, 2)];
    if (length === undefined || characters.length < length) continue;
    const number = characters.slice(0, length);
    if (number.replaceAll(/\D/g, '').length >= 10 && passesMod97(number)) return true;
  }
  return false;
}

/** Other words can follow it. */
const iban = /(?<![a-z\d])[a-z]{2}[ -]?\d{2}(?:[ .-]{0,2}[a-z\d]){11,30}/gi;

/** The lengths of the countries' IBANs. */
const ibanLengths: Record<string, number> = {
  ...{ AT: 20, BE: 16, BG: 22, CH: 21, CY: 28, CZ: 24, DE: 22, DK: 18, EE: 20, ES: 24, FI: 18, FR: 27 },
  ...{ GB: 22, GI: 23, GR: 27, HR: 21, HU: 28, IE: 22, IS: 26, IT: 27, LI: 21, LT: 20, LU: 20, LV: 21 },
  ...{ MC: 27, MT: 31, NL: 18, NO: 15, PL: 28, PT: 25, RO: 24, SE: 24, SI: 19, SK: 24, TR: 26, AE: 23 },
};

/** Whether the check digits of an IBAN are valid (ISO 13616). */
function passesMod97(characters: string): boolean {
  let rest = 0;
  for (const character of characters.slice(4) + characters.slice(0, 4)) {
    const value = Number.parseInt(character, 36);
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
  }
  return rest === 1;
}
