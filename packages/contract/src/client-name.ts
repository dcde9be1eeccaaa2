// cspell:ignore łøßđðæœıþħŋ degli

/** The name of a client in the firm's records. */
export interface ClientName {
  first_name: string;
  last_name: string;
}

/**
 * Whether a typed name is the name of a client: it has one of their given names and their surname, or a part of a surname of two
 * words. One word is enough for a client whose given name and surname are the same word, or who has only one of them. Ignores case,
 * accents, spaces, apostrophes, hyphens and other punctuation. Łukasz may type Lukasz, Müller may type Mueller, and the reverse.
 */
export function matchesClientName(typed: string, { first_name, last_name }: ClientName): boolean {
  const [given, surnames] = [namesIn(first_name), namesIn(last_name)];
  const runs = runsOf(wordsOf(typed));
  const find = (names: readonly Word[]) =>
    runs.filter(({ word }) => names.some((name) => isAlike(word, name)));
  const [allGiven, wholeSurname] = [given[0], surnames[0]];
  if (!allGiven || !wholeSurname || isAlike(allGiven, wholeSurname))
    return find([...given, ...surnames]).length > 0;
  const foundSurnames = find(surnames);
  return (
    find(given).some((one) => foundSurnames.some(({ start, end }) => one.end <= start || end <= one.start)) ||
    // In scripts without spaces.
    find([joined([allGiven, wholeSurname]), joined([wholeSurname, allGiven])]).length > 0
  );
}

/** A word as names are compared, with its letters in each way that people without them on their keyboard type them. */
type Word = readonly [folded: string, spelledOut: string];

const isAlike = (left: Word, right: Word) => left.some((spelling) => right.includes(spelling));

const joined = (words: readonly Word[]): Word => [
  words.map(([folded]) => folded).join(''),
  words.map(([, spelledOut]) => spelledOut).join(''),
];

const wordsOf = (text: string): Word[] =>
  (
    text
      .normalize('NFC')
      .replaceAll(apostrophes, '')
      .match(/[\p{L}\p{M}]+/gu) ?? []
  )
    .map((word): Word => [foldName(word), foldName(spellOut(word))])
    .filter(([folded]) => folded !== '');

const apostrophes = /['’‘`´ʼ]/g;

/** Finds the names in a field of the firm’s records: all of its words together, then each that is a name. */
function namesIn(text: string): Word[] {
  const words = wordsOf(text);
  if (words.length < 2) return words;
  return [joined(words), ...words.filter(([word]) => [...word].length > 1 && !particles.has(word))];
}

/** Words of surnames that are no surname without the next word. */
const particles = new Set(
  'ab abu af al ap av bat ben bin bint da dal de degli dei del della den der des di do dos du e el fitz ibn la las le los mac mc na o san st ten ter und van vander von y zu'.split(
    ' ',
  ),
);

/** Lists each sequence of words that were typed after each other, as one word. */
function runsOf(words: readonly Word[]): { word: Word; start: number; end: number }[] {
  return words.flatMap((_first, start) =>
    words.slice(start).map((_last, further) => {
      const end = start + further + 1;
      return { word: joined(words.slice(start, end)), start, end };
    }),
  );
}

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
