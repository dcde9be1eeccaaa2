import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import PDFDocument from 'pdfkit';
import { unpackWoff } from './unpack-woff.ts';

/** One subset of a font, as published in its npm package. */
export interface FontFile {
  /** Unique in the library. */
  key: string;
  /** A TrueType font. */
  bytes: Buffer;
  /** The code points it has glyphs for. */
  covers: ReadonlySet<number>;
}

/** Figtree for text, Newsreader for display. */
export type FontFace = 'text' | 'display';
export type FontWeight = 400 | 500 | 600;

export interface FontLibrary {
  /**
   * Finds the first font in the fallback order that has all of these code points.
   *
   * @param query.emojiFirst whether the text asks for the emoji rather than the symbol
   * @returns null if no font has all of them
   */
  find(
    query: { face: FontFace; weight: FontWeight; emojiFirst: boolean },
    codePoints: readonly number[],
  ): FontFile | null;
}

/**
 * Creates the library of all available fonts. Each npm package has several subset files with published ranges; files
 * are loaded when a text first needs them, and then cached.
 */
export function createFontLibrary(): FontLibrary {
  const packages = new Map<string, Subset[]>();
  const files = new Map<string, FontFile>();
  const findSubsets = (name: string) => getOrCreate(packages, name, () => readSubsets(name));
  const openFont = (name: string, subset: string, weight: FontWeight) =>
    getOrCreate(files, `${name}-${subset}-${weight}`, (key) => readFontFile(key, name));
  return {
    find: ({ face, weight, emojiFirst }, codePoints) => {
      const [first] = codePoints;
      if (first === undefined) return null;
      for (const name of emojiFirst ? ['noto-emoji', ...chains[face]] : chains[face]) {
        for (const subset of findSubsets(name)) {
          if (!subset.ranges.some(([from, to]) => first >= from && first <= to)) continue;
          const file = openFont(name, subset.name, weight);
          if (codePoints.every((codePoint) => file.covers.has(codePoint))) return file;
        }
      }
      return null;
    },
  };
}

const fallbacks = [
  'noto-sans',
  'noto-sans-hebrew',
  'noto-sans-arabic',
  'noto-sans-sc',
  'noto-emoji',
] as const;

const chains: Record<FontFace, readonly string[]> = {
  text: ['figtree', ...fallbacks],
  display: ['newsreader', ...fallbacks],
};

interface Subset {
  name: string;
  ranges: [from: number, to: number][];
}

const require = createRequire(import.meta.url);

/** Reads `{"latin": "U+0000-00FF,U+0131", "[4]": "U+1f21a"}`; a number in brackets is a file number. */
function readSubsets(name: string): Subset[] {
  const published = JSON.parse(
    readFileSync(require.resolve(`@fontsource/${name}/unicode.json`), 'utf8'),
  ) as Record<string, string>;
  return Object.entries(published).map(([key, ranges]) => ({
    name: key.replace(/[[\]]/g, ''),
    ranges: ranges.split(',').map((range) => {
      const [from = '', to = from] = range.trim().slice(2).split('-');
      return [Number.parseInt(from, 16), Number.parseInt(to, 16)];
    }),
  }));
}

/** Reads the covered code points from the font itself, because some published ranges claim too much. */
function readFontFile(key: string, name: string): FontFile {
  const bytes = unpackWoff(readFileSync(require.resolve(`@fontsource/${name}/files/${key}-normal.woff`)));
  const document = new PDFDocument({ autoFirstPage: false, font: '' }).registerFont(key, bytes).font(key);
  const { font } = (document as unknown as { _font: { font: { characterSet: number[] } } })._font;
  return { key, bytes, covers: new Set(font.characterSet) };
}

function getOrCreate<Value>(store: Map<string, Value>, key: string, create: (key: string) => Value): Value {
  const value = store.get(key) ?? create(key);
  store.set(key, value);
  return value;
}
