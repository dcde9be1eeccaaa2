import { chooseFonts, type FontRun } from '../fonts/choose-fonts.ts';
import type { FontFile, FontLibrary } from '../fonts/font-library.ts';
import { type Shape, shapeText } from './shape-text.ts';
import type { TextStyle } from './text-style.ts';

/** Chooses the fonts of text and shapes it, each character and each run only once. */
export interface GlyphShaper {
  /** Makes a font the current one of the PDF. */
  selectFont(font: FontFile): PDFKit.PDFDocument;
  /** Chooses the fonts of a character. */
  choose(character: string, style: TextStyle): FontRun[];
  /**
   * Chooses the fonts of a character, and splits a character that is wider than a line, such as a hundred joined
   * emoji or stacked marks.
   */
  chooseFitting(character: string, style: TextStyle, width: number): FontRun[][];
  /** The font of a space; null when the style has no font at all. */
  spaceFont(style: TextStyle): FontFile | null;
  /** @returns null when the font cannot shape the text */
  shape(font: FontFile, text: string, style: TextStyle): Shape | null;
  /** Measures runs in points. */
  widthOf(runs: FontRun[], style: TextStyle): number;
}

export function createGlyphShaper(pdf: PDFKit.PDFDocument, fonts: FontLibrary): GlyphShaper {
  const chosenFonts = new Map<string, FontRun[]>();
  const shapes = new Map<string, Shape | null>();
  const registered = new Set<string>();

  const selectFont = (font: FontFile) => {
    if (!registered.has(font.key)) pdf.registerFont(font.key, font.bytes);
    registered.add(font.key);
    return pdf.font(font.key);
  };
  const choose = (character: string, style: TextStyle) => {
    const key = `${style.face} ${style.weight} ${character}`;
    const runs = chosenFonts.get(key) ?? chooseFonts(fonts, style, character);
    chosenFonts.set(key, runs);
    return runs;
  };
  const spaceFont = (style: TextStyle) => choose('n', style)[0]?.font ?? null;
  const shape = (font: FontFile, text: string, style: TextStyle): Shape | null => {
    const features = featuresOf(style);
    const key = `${font.key} ${features} ${text}`;
    let result = shapes.get(key);
    if (result === undefined) {
      result = shapeText(selectFont(font), text, features);
      shapes.set(key, result);
    }
    return result;
  };
  const widthOf = (runs: FontRun[], style: TextStyle) =>
    runs.reduce((sum, run) => {
      const font = run.font ?? spaceFont(style);
      return sum + ((font && shape(font, run.text, style)?.width) ?? 0);
    }, 0) *
    (style.size / 1000);
  const chooseFitting = (character: string, style: TextStyle, width: number): FontRun[][] => {
    const runs = choose(character, style);
    if (widthOf(runs, style) <= width) return [runs];
    // A compatibility character can be a whole word: without a font for it, "㌀" becomes "アパート".
    return Array.from(character.normalize('NFKC'), (part) => choose(part, style));
  };
  return { selectFont, choose, chooseFitting, spaceFont, shape, widthOf };
}

export const featuresOf = (style: TextStyle): PDFKit.Mixins.OpenTypeFeatures[] =>
  style.tabular ? ['tnum'] : [];
