import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import PDFDocument from 'pdfkit';
import { unpackWoff } from './unpack-woff.ts';

/** One subset of one font, as its package ships it. */
export interface FontFile {
  /** Unique on the shelf. */
  key: string;
  /** TrueType. */
  bytes: Buffer;
  /** The code points that it has a glyph for. */
  covers: ReadonlySet<number>;
}

/** Figtree for text, Newsreader for headings and for names that are signed with. */
export type Face = 'text' | 'display';
export type Weight = 400 | 500 | 600;

export interface FontShelf {
  /**
   * The first font, by the order of the fallbacks, that has all these code points.
   * @param emojiFirst the writer asked for the picture, not for the sign
   * @returns null where none has them all
   */
  find(
    wanted: { face: Face; weight: Weight; emojiFirst: boolean },
    codePoints: readonly number[],
  ): FontFile | null;
}

/**
 * The fonts of the PDFs: each package's subsets, told apart by the ranges it publishes. Files are read when a text
 * first needs them and kept.
 */
export function createFontShelf(): FontShelf {
  const packages = new Map<string, Subset[]>();
  const files = new Map<string, FontFile>();
  const subsetsOf = (name: string) => kept(packages, name, () => readSubsets(name));
  const fileOf = (name: string, subset: string, weight: Weight) =>
    kept(files, `${name}-${subset}-${weight}`, (key) => openFile(key, name));
  return {
    find: ({ face, weight, emojiFirst }, codePoints) => {
      const [first] = codePoints;
      if (first === undefined) return null;
      for (const name of emojiFirst ? ['noto-emoji', ...chains[face]] : chains[face]) {
        for (const subset of subsetsOf(name)) {
          if (!subset.ranges.some(([from, to]) => first >= from && first <= to)) continue;
          const file = fileOf(name, subset.name, weight);
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

const chains: Record<Face, readonly string[]> = {
  text: ['figtree', ...fallbacks],
  display: ['newsreader', ...fallbacks],
};

interface Subset {
  name: string;
  ranges: [from: number, to: number][];
}

const require = createRequire(import.meta.url);

/** `{"latin": "U+0000-00FF,U+0131", "[4]": "U+1f21a"}`: a bracketed number is the file's number. */
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

/** The published ranges promise more than some files hold, so the file itself is asked. */
function openFile(key: string, name: string): FontFile {
  const bytes = unpackWoff(readFileSync(require.resolve(`@fontsource/${name}/files/${key}-normal.woff`)));
  const scratch = new PDFDocument({ autoFirstPage: false, font: '' }).registerFont(key, bytes).font(key);
  const { font } = (scratch as unknown as { _font: { font: { characterSet: number[] } } })._font;
  return { key, bytes, covers: new Set(font.characterSet) };
}

function kept<Value>(store: Map<string, Value>, key: string, make: (key: string) => Value): Value {
  const found = store.get(key) ?? make(key);
  store.set(key, found);
  return found;
}
