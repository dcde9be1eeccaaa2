/** The maximum length of a payment's line on a card statement. */
const maxLength = 22;
/** The number of these characters that card schemes reserve for the firm’s name. */
const maxPrefixLength = 10;
const separator = '* ';

/**
 * Returns the firm's name as the start of a statement line: "Alder & Finch Conveyancing" becomes "ALDER".
 * @returns whole words where the first one fits; null for a name without two Latin letters or digits, one of them a letter
 */
export function statementPrefix(firmName: string): string | null {
  const [first = '', ...others] = toStatementCharacters(firmName).split(' ');
  const words = others.reduce<{ text: string; isFull: boolean }>(
    ({ text, isFull }, word) =>
      isFull || `${text} ${word}`.length > maxPrefixLength
        ? { text, isFull: true }
        : { text: `${text} ${word}`, isFull },
    { text: first.slice(0, maxPrefixLength), isFull: false },
  );
  const prefix = trim(words.text);
  return prefix.length >= 2 && /[A-Z]/.test(prefix) ? prefix : null;
}

/**
 * Returns the case's reference as the end of a statement line. A reference that is too long loses its start, because
 * references of one firm differ at the end.
 * @param prefix the start of the line; null if it is unknown, so that it may be as long as card schemes allow
 * @returns null for a reference without Latin letters or digits
 */
export function statementSuffix(reference: string, prefix: string | null): string | null {
  const room = maxLength - separator.length - (prefix?.length ?? maxPrefixLength);
  const text = trim(toStatementCharacters(reference));
  if (text === '' || room < 5) return null;
  const end = trim(text.slice(-room));
  // A suffix needs a letter.
  return /[A-Z]/.test(end) ? end : `REF ${trim(text.slice(-(room - 4)))}`;
}

/** Joins both parts to the line that the statement shows: "ALDER* KT-2026-00421". */
export const joinStatement = (prefix: string, suffix: string): string => `${prefix}${separator}${suffix}`;

/** Upper-case letters of the Latin alphabet without accents, digits and the marks that every card scheme accepts. */
const toStatementCharacters = (text: string): string =>
  [...text]
    .map((character) => likeLatin[character.toLowerCase()] ?? character)
    .join('')
    .normalize('NFKD')
    .replaceAll(/[\u2010-\u2015]/g, '-')
    .toUpperCase()
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[^A-Z0-9 &.,/-]/g, '')
    .replaceAll(/ {2,}/g, ' ')
    .trim();

/** Letters that Unicode decomposition does not turn into letters of the Latin alphabet. */
const likeLatin: Partial<Record<string, string>> = {
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  ß: 'ss',
  þ: 'th',
  ı: 'i',
};

const trim = (text: string) => text.replace(/^[^A-Z0-9]+/, '').replace(/[^A-Z0-9]+$/, '');
