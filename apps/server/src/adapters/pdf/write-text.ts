import { chooseFonts, type Glyphs } from './choose-fonts.ts';
import type { Face, FontFile, FontShelf, Weight } from './font-shelf.ts';
import { type Character, type Paragraph, readable, readParagraph } from './read-paragraph.ts';

export interface TextStyle {
  face: Face;
  weight: Weight;
  /** Points. */
  size: number;
  color: string;
  /** Figures of one width, for columns of money. */
  tabular?: boolean;
}

/** A line as it is drawn: pieces in the order they are read, each with its place from the left. In points. */
export interface TextLine {
  /** From the left to the line's right end. */
  width: number;
  pieces: readonly TextPiece[];
}

interface TextPiece {
  font: FontFile;
  text: string;
  x: number;
}

export interface TextWriter {
  /**
   * Breaks a text of any script into lines: at spaces, after hyphens and between ideographs, and inside a word that is
   * wider than a line, but never inside what reads as one character. At least one line.
   * @param width points
   */
  lines(text: string, style: TextStyle, width: number): TextLine[];
  /** One line without line breaks, however wide. */
  line(text: string, style: TextStyle): TextLine;
  /** @param y of the base line, points from the top of the page */
  draw(line: TextLine, style: TextStyle, x: number, y: number): void;
}

/**
 * Writes text of any script into one document. Fonts are taken from the shelf character by character; what no font has
 * is seen as U+FFFD. Nothing that stands in the text makes it throw.
 */
export function createTextWriter(pdf: PDFKit.PDFDocument, shelf: FontShelf): TextWriter {
  const chosen = new Map<string, Glyphs[]>();
  const shapes = new Map<string, Shape | null>();
  const registered = new Set<string>();

  const use = (font: FontFile) => {
    if (!registered.has(font.key)) pdf.registerFont(font.key, font.bytes);
    registered.add(font.key);
    return pdf.font(font.key);
  };

  const choose = (character: string, style: TextStyle) => {
    const key = `${style.face} ${style.weight} ${character}`;
    const found = chosen.get(key) ?? chooseFonts(shelf, style, character);
    chosen.set(key, found);
    return found;
  };

  const fontOfSpaces = (style: TextStyle) => choose('n', style)[0]?.font ?? null;

  const shape = (font: FontFile, text: string, style: TextStyle): Shape | null => {
    const features = featuresOf(style);
    const key = `${font.key} ${features} ${text}`;
    let found = shapes.get(key);
    if (found === undefined) {
      found = shapeSafely(use(font), text, features);
      shapes.set(key, found);
    }
    return found;
  };

  /** The characters of one line as pieces of one font and one direction, and how wide they are. */
  const setLine = (paragraph: Paragraph, from: number, to: number, style: TextStyle): TextLine => {
    const runs: Run[] = [];
    for (const { glyphs, level } of paragraph.characters.slice(from, to)) {
      for (const { font, text } of glyphs) {
        const last = runs.at(-1);
        const same = font === null ? isText(last) : last?.font === font;
        if (last?.level === level && same) last.parts.push(text);
        else runs.push({ font: font ?? fontOfSpaces(style), level, parts: [text] });
      }
    }
    const [replacement] = choose('\u{fffd}', style);
    const shaped = runs.flatMap((run) =>
      shapeRun(run, replacement?.font ?? null, (font, text) => shape(font, text, style)),
    );
    let x = 0;
    const places = new Map<ShapedRun, number>();
    for (const run of inVisualOrder(shaped)) {
      places.set(run, x);
      x += (run.width * style.size) / 1000;
    }
    return {
      width: x,
      pieces: shaped.map((run) => ({ font: run.font, text: run.text, x: places.get(run) ?? 0 })),
    };
  };

  const widthOf = (glyphs: Glyphs[], style: TextStyle) =>
    glyphs.reduce((sum, { font, text }) => {
      const set = font ?? fontOfSpaces(style);
      return sum + ((set && shape(set, text, style)?.width) ?? 0);
    }, 0) *
    (style.size / 1000);

  const breakLines = (paragraph: Paragraph, style: TextStyle, width: number): TextLine[] => {
    const { characters } = paragraph;
    const lines: TextLine[] = [];
    let start = 0;
    while (start < characters.length) {
      let end = start;
      let filled = 0;
      let opportunity = 0;
      while (end < characters.length) {
        const character = characters[end] as Character;
        const wide = widthOf(character.glyphs, style);
        if (filled + wide > width && !character.space && end > start) break;
        filled += wide;
        end += 1;
        if (end < characters.length && breaksBetween(character, characters[end] as Character)) {
          opportunity = end;
        }
      }
      if (end < characters.length && opportunity > start) end = opportunity;
      // Characters that join are wider or narrower together than alone: the line itself is measured.
      let line = setLine(paragraph, start, trimmed(characters, start, end), style);
      while (line.width > width + 0.01 && end > start + 1) {
        end = shorter(characters, start, end);
        line = setLine(paragraph, start, trimmed(characters, start, end), style);
      }
      lines.push(line);
      start = end;
      while (characters[start]?.space) start += 1;
    }
    if (lines.length === 0) return [setLine(paragraph, 0, 0, style)];
    return paragraph.rightToLeft ? alignRight(lines) : lines;
  };

  return {
    line: (text, style) => {
      const paragraph = readParagraph(readable(text).replaceAll('\n', ' '), (part) => [choose(part, style)]);
      return setLine(paragraph, 0, paragraph.characters.length, style);
    },
    lines: (text, style, width) =>
      readable(text)
        .split('\n')
        .flatMap((paragraph) =>
          breakLines(
            readParagraph(paragraph, (character) => fitting(character, style, width)),
            style,
            width,
          ),
        ),
    draw: (line, style, x, y) => {
      for (const piece of line.pieces) {
        use(piece.font)
          .fontSize(style.size)
          .fillColor(style.color)
          .text(piece.text, x + piece.x, y, {
            lineBreak: false,
            baseline: 'alphabetic',
            features: featuresOf(style),
          });
      }
    },
  };

  /** A hundred joined emoji or stacked marks read as one character; wider than a line they are taken apart. */
  function fitting(character: string, style: TextStyle, width: number): Glyphs[][] {
    const glyphs = choose(character, style);
    if (widthOf(glyphs, style) <= width) return [glyphs];
    // One sign may stand for a whole word, too: "㌀" is "アパート" where no font has it.
    return Array.from(character.normalize('NFKC'), (part) => choose(part, style));
  }
}

const featuresOf = (style: TextStyle): PDFKit.Mixins.OpenTypeFeatures[] => (style.tabular ? ['tnum'] : []);

interface Shape {
  /** Thousandths of the type size. */
  width: number;
  rightToLeft: boolean;
}

/** @returns null where the font's own rules stumble over the text */
function shapeSafely(
  pdf: PDFKit.PDFDocument,
  text: string,
  features: PDFKit.Mixins.OpenTypeFeatures[],
): Shape | null {
  const { _font } = pdf as unknown as { _font: ShapingFont };
  try {
    const { advanceWidth, direction, glyphs } = _font.layout(text, features);
    for (const glyph of glyphs) glyph.codePoints = saidBy(glyph.codePoints);
    return Number.isFinite(advanceWidth) ? { width: advanceWidth, rightToLeft: direction === 'rtl' } : null;
  } catch {
    return null;
  }
}

/**
 * What a glyph stands for when the text is copied out or read aloud. The second of two glyphs for one letter says
 * nothing of its own, and without a word of ours readers would make one up: it says a hair space. What is not seen of
 * itself (a joiner) would not do: pdf.js and browsers do not draw a glyph that ends with it.
 */
function saidBy(codePoints: readonly number[]): number[] {
  const said = [...codePoints];
  while (said.length > 1 && /\p{Default_Ignorable_Code_Point}/u.test(String.fromCodePoint(said.at(-1) ?? 0)))
    said.pop();
  return said.length > 0 ? said : [hairSpace];
}

const hairSpace = 0x200a;

/** What pdfkit calls an embedded font, as far as it is asked here. */
interface ShapingFont {
  layout(
    text: string,
    features: string[],
  ): { advanceWidth: number; direction: string; glyphs: { codePoints: number[] }[] };
}

interface Run {
  font: FontFile | null;
  level: number;
  parts: string[];
}

interface ShapedRun {
  font: FontFile;
  level: number;
  text: string;
  /** Thousandths of the type size. */
  width: number;
}

/**
 * The font's rules turn a text around by its script, the algorithm by its level: where they differ (a bracket between
 * Hebrew words, Persian figures) the text is turned beforehand. A run that cannot be shaped is drawn part by part.
 */
function shapeRun(
  { font, level, parts }: Run,
  replacement: FontFile | null,
  shape: (font: FontFile, text: string) => Shape | null,
): ShapedRun[] {
  if (!font || parts.length === 0) return [];
  const text = parts.join('');
  const found = shape(font, text);
  if (found && found.rightToLeft === ((level & 1) === 1)) return [{ font, level, text, width: found.width }];
  if (found) {
    const turned = parts.toReversed().join('');
    const width = shape(font, turned)?.width;
    if (width !== undefined) return [{ font, level, text: turned, width }];
  }
  if (parts.length > 1) {
    return parts.flatMap((part) => shapeRun({ font, level, parts: [part] }, replacement, shape));
  }
  const width = replacement && shape(replacement, '\u{fffd}')?.width;
  return replacement && width ? [{ font: replacement, level, text: '\u{fffd}', width }] : [];
}

/** Rule L2 of the Unicode bidirectional algorithm, on whole runs. */
function inVisualOrder(runs: readonly ShapedRun[]): ShapedRun[] {
  const ordered = [...runs];
  const highest = Math.max(0, ...runs.map(({ level }) => level));
  for (let level = highest; level >= 1; level -= 1) {
    let start = 0;
    while (start < ordered.length) {
      let end = start;
      while (end < ordered.length && (ordered[end] as ShapedRun).level >= level) end += 1;
      ordered.splice(start, end - start, ...ordered.slice(start, end).reverse());
      start = end + 1;
    }
  }
  return ordered;
}

/** A space is taken from the font of the word before it, but not from that of an emoji or of a lone mark. */
const isText = (run: Run | undefined) =>
  run?.font != null &&
  !run.font.key.startsWith('noto-emoji') &&
  /[\p{L}\p{N}\p{P}\p{Zs}]/u.test(run.parts.at(-1) ?? '');

/** Lines that run from right to left begin at the same place, the right end of the longest. */
function alignRight(lines: readonly TextLine[]): TextLine[] {
  const end = Math.max(...lines.map(({ width }) => width));
  return lines.map(({ width, pieces }) => ({
    width: end,
    pieces: pieces.map((piece) => ({ ...piece, x: piece.x + end - width })),
  }));
}

/** Where a line may end: behind a space or a hyphen, and beside an ideograph but not before what closes. */
function breaksBetween(before: Character, after: Character): boolean {
  if (after.space) return false;
  if (before.space) return true;
  if (/[\u{ad}\u{200b}\u{2010}\u{2013}\u{2014}]$/u.test(before.text)) return true;
  if (before.text === '-' || before.text === '/') return /^\p{L}/u.test(after.text);
  if (!ideograph.test(before.text) && !ideograph.test(after.text)) return false;
  return (
    !/^[\p{Pe}\p{Pf}\p{Po}\p{Lm}\u{a0}]/u.test(after.text) && !/[\p{Ps}\p{Pi}\u{a0}]$/u.test(before.text)
  );
}

const ideograph = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

function trimmed(characters: readonly Character[], start: number, end: number): number {
  let last = end;
  while (last > start && characters[last - 1]?.space) last -= 1;
  return last;
}

/** One word less, or one character less of a word that fills the line. */
function shorter(characters: readonly Character[], start: number, end: number): number {
  for (let last = end - 1; last > start; last -= 1) {
    if (breaksBetween(characters[last - 1] as Character, characters[last] as Character)) return last;
  }
  return end - 1;
}
