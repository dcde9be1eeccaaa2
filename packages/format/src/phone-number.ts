/*
 * Telephone numbers are stored in E.164, with an extension as in RFC 3966: `+441174960101;ext=12`. The server reads what people
 * type. A text that an earlier release stored, and that is not one number, stays as it was typed.
 */

/** The parts of a stored number; null for a text that is not one. */
function partsOf(stored: string): { digits: string; extension: string | undefined } | null {
  const [, digits, extension] = /^\+(\d{7,15})(?:;ext=(\d{1,6}))?$/.exec(stored) ?? [];
  return digits === undefined ? null : { digits, extension };
}

/**
 * Shows a stored number: a British one as people in Britain write it, any other with its country code. Has its own groups,
 * because a library with those of each country would be a tenth of what a browser downloads.
 */
export function formatPhone(stored: string): string {
  const parts = partsOf(stored);
  if (!parts) return stored;
  const { digits, extension } = parts;
  const shown = digits.startsWith('44') ? british(digits.slice(2)) : international(digits);
  return extension === undefined ? shown : `${shown} ext. ${extension}`;
}

/** Numbers of digits in the groups of British numbers, by how they start. The first that fits counts; the last group has the rest. */
const britishGroups: [start: RegExp, groups: number[]][] = [
  [/^845464\d$/, [3, 2, 2]],
  [/^800\d{4,6}$/, [3, 6]],
  [/^1(?:3873|5242|539[4-6]|697[347]|768[347]|9467)/, [5, 5]],
  [/^1(?:[2-69][02-9]|[78])/, [4, 6]],
  [/^(?:[25]|70|76(?:[03-9]|2[356]))/, [2, 4, 4]],
  [/^7/, [4, 6]],
];

function british(national: string): string {
  const [, groups] = britishGroups.find(([start]) => start.test(national)) ?? [];
  return `0${inGroups(national, groups ?? [3, 3, 4])}`;
}

/** Country codes with one and two digits; all others have three. */
const countryCode = /^(?:[17]|2[07]|3[0-469]|4[0-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|\d{3})/;

/** In groups of three, and as many groups of four at the end as it takes: each country has its own. */
function international(digits: string): string {
  const [code = ''] = countryCode.exec(digits) ?? [];
  const national = digits.slice(code.length);
  const count = Math.max(1, Math.floor(national.length / 3));
  const longer = national.length % 3;
  const groups = Array.from({ length: count }, (_, index) => (index < count - longer ? 3 : 4));
  return `+${code} ${inGroups(national, groups)}`;
}

/** @param groups the numbers of digits; the last group has the rest */
function inGroups(digits: string, groups: readonly number[]): string {
  const [first = 0, ...others] = groups;
  if (others.length === 0 || digits.length <= first) return digits;
  return `${digits.slice(0, first)} ${inGroups(digits.slice(first), others)}`;
}

/**
 * Returns the `tel:` address that dials a number as it is shown, with its extension after a pause, or null for a text that is
 * not one number.
 */
export function telephoneHref(stored: string): string | null {
  const parts = partsOf(stored);
  if (parts) return `tel:+${parts.digits}${parts.extension === undefined ? '' : `,${parts.extension}`}`;
  // A number of a spreadsheet, whose decimal point would be dialled as another digit.
  if (/[.,]0+$/.test(stored)) return null;
  // Written by hand, with the 0 that is not dialled from abroad.
  const typed = stored.replace(/^(\+\d{1,3}) ?\(0\)/, '$1').replaceAll(/[\s().-]/g, '');
  return /^\+?\d{6,15}$/.test(typed) ? `tel:${typed}` : null;
}
