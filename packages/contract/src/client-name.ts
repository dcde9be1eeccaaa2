// cspell:ignore łøßđðæœıþħŋ

/** The name of a client in the firm's records. */
export interface ClientName {
  first_name: string;
  last_name: string;
}

/**
 * Whether a typed name is the name of a client: it contains the first word of their first name and their whole last
 * name. Ignores case, accents, spaces and punctuation. Łukasz may type Lukasz, Müller may type Mueller, and the reverse.
 */
export function matchesClientName(typed: string, { first_name, last_name }: ClientName): boolean {
  const [first = ''] = first_name.trim().split(/\s+/);
  return contains(typed, first) && contains(typed, last_name);
}

/** Either text can have its letters with or without accents, or spelled with an e. */
const contains = (typed: string, name: string) =>
  [typed, spellOut(typed)].some((one) =>
    [name, spellOut(name)].some((other) => foldName(one).includes(foldName(other))),
  );

/**
 * Folds a name to the letters by which names are compared: lower case, without accents, spaces and punctuation. The search of
 * the desk folds words alike, in `comparable_text` of the database.
 */
export const foldName = (text: string): string => foldLetters(text).replaceAll(/[^\p{L}]/gu, '');

/** Writes a text in lower case, without accents, and with the letters that people without them on their keyboard type. */
export const foldLetters = (text: string): string =>
  text
    .toLocaleLowerCase('en-GB')
    .normalize('NFKD')
    .replaceAll(/[łøßđðæœıþħŋ]/g, (letter) => foldedLetters[letter] ?? letter)
    .replaceAll(/\p{M}/gu, '');

/** Letters that no Unicode form divides, as people without them on their keyboard type them. */
export const foldedLetters: Readonly<Record<string, string>> = {
  ł: 'l',
  ø: 'o',
  ß: 'ss',
  đ: 'd',
  ð: 'd',
  æ: 'ae',
  œ: 'oe',
  ı: 'i',
  þ: 'th',
  ħ: 'h',
  ŋ: 'n',
};

/** Writes ä, ö, ø, ü, å and đ as German, Danish, Norwegian and Serbian do without them. */
const spellOut = (text: string) =>
  text
    .toLocaleLowerCase('en-GB')
    .normalize('NFC')
    .replaceAll('ä', 'ae')
    .replaceAll(/[öø]/g, 'oe')
    .replaceAll('ü', 'ue')
    .replaceAll('å', 'aa')
    .replaceAll('đ', 'dj');
