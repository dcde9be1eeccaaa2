import type { FontFile } from '../fonts/font-library.ts';

/** The measurements of a text in one font. */
export interface Shape {
  /** Thousandths of the font size. */
  width: number;
  isRightToLeft: boolean;
}

/** Consecutive characters with the same font and direction. */
export interface TextRun {
  font: FontFile | null;
  level: number;
  parts: string[];
}

export interface ShapedRun {
  font: FontFile;
  level: number;
  text: string;
  /** Thousandths of the font size. */
  width: number;
}

/**
 * Measures a text in the document's current font.
 *
 * @returns null if the font's own layout rules fail on the text
 */
export function shapeText(
  pdf: PDFKit.PDFDocument,
  text: string,
  features: PDFKit.Mixins.OpenTypeFeatures[],
): Shape | null {
  const { _font } = pdf as unknown as { _font: EmbeddedFont };
  try {
    const { advanceWidth, direction, glyphs } = _font.layout(text, features);
    for (const glyph of glyphs) glyph.codePoints = extractableCodePoints(glyph.codePoints);
    return Number.isFinite(advanceWidth) ? { width: advanceWidth, isRightToLeft: direction === 'rtl' } : null;
  } catch {
    return null;
  }
}

/** The part of pdfkit's embedded fonts that is used here. */
interface EmbeddedFont {
  layout(
    text: string,
    features: string[],
  ): { advanceWidth: number; direction: string; glyphs: { codePoints: number[] }[] };
}

/**
 * Returns what a glyph means when text is copied or read aloud. If two glyphs draw one letter, the second has no
 * meaning, and PDF readers would guess one: it gets a hair space instead. Trailing invisible characters are removed,
 * because pdf.js and browsers do not draw a glyph that ends with one.
 */
function extractableCodePoints(codePoints: readonly number[]): number[] {
  const kept = [...codePoints];
  while (
    kept.length > 1 &&
    /\p{Default_Ignorable_Code_Point}/u.test(String.fromCodePoint(kept.at(-1) ?? 0))
  ) {
    kept.pop();
  }
  return kept.length > 0 ? kept : [hairSpace];
}

const hairSpace = 0x200a;

/**
 * Shapes a run. Font engines reverse a text by its script, the bidirectional algorithm by its level. Where the two
 * differ, as for brackets in Hebrew or Persian digits, the text is reversed first. A run that cannot be shaped is
 * split into parts.
 *
 * @param replacement the font for U+FFFD, which replaces parts that cannot be shaped
 */
export function shapeRun(
  { font, level, parts }: TextRun,
  replacement: FontFile | null,
  shape: (font: FontFile, text: string) => Shape | null,
): ShapedRun[] {
  if (!font || parts.length === 0) return [];
  const text = parts.join('');
  const shaped = shape(font, text);
  if (shaped && shaped.isRightToLeft === ((level & 1) === 1)) {
    return [{ font, level, text, width: shaped.width }];
  }
  if (shaped) {
    const reversed = parts.toReversed().join('');
    const width = shape(font, reversed)?.width;
    if (width !== undefined) return [{ font, level, text: reversed, width }];
  }
  if (parts.length > 1) {
    return parts.flatMap((part) => shapeRun({ font, level, parts: [part] }, replacement, shape));
  }
  const width = replacement && shape(replacement, '\u{fffd}')?.width;
  return replacement && width ? [{ font: replacement, level, text: '\u{fffd}', width }] : [];
}

/** Sorts runs into visual order: rule L2 of the Unicode bidirectional algorithm. */
export function sortVisually(runs: readonly ShapedRun[]): ShapedRun[] {
  const sorted = [...runs];
  const highest = Math.max(0, ...runs.map(({ level }) => level));
  for (let level = highest; level >= 1; level -= 1) {
    let start = 0;
    while (start < sorted.length) {
      let end = start;
      while (end < sorted.length && (sorted[end] as ShapedRun).level >= level) end += 1;
      sorted.splice(start, end - start, ...sorted.slice(start, end).reverse());
      start = end + 1;
    }
  }
  return sorted;
}
