import { chooseFonts, type FontRun } from '../fonts/choose-fonts.ts';
import type { FontFile, FontLibrary } from '../fonts/font-library.ts';
import { breakLines } from './break-lines.ts';
import { normaliseText, type Paragraph, readParagraph } from './read-paragraph.ts';
import { type Shape, type ShapedRun, shapeRun, shapeText, sortVisually, type TextRun } from './shape-text.ts';
import type { TextLine, TextStyle } from './text-style.ts';

export interface TextWriter {
  /**
   * Breaks text in any script into lines: at spaces, after hyphens and between ideographs, or within a word that is
   * wider than a line, but never within a grapheme cluster that fits. Returns at least one line.
   *
   * @param width points
   */
  lines(text: string, style: TextStyle, width: number): TextLine[];
  /** Lays out text as one line, however wide. */
  line(text: string, style: TextStyle): TextLine;
  /** Draws a line. @param y the baseline, in points from the top of the page */
  draw(line: TextLine, style: TextStyle, x: number, y: number): void;
}

/**
 * Creates a writer for text in any script. It chooses fonts character by character; characters without a font appear
 * as U+FFFD. No text makes it throw.
 */
export function createTextWriter(pdf: PDFKit.PDFDocument, fonts: FontLibrary): TextWriter {
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

  const layoutLine = (paragraph: Paragraph, start: number, end: number, style: TextStyle): TextLine => {
    const [replacement] = choose('\u{fffd}', style);
    const shaped = joinRuns(paragraph, start, end, spaceFont(style)).flatMap((run) =>
      shapeRun(run, replacement?.font ?? null, (font, text) => shape(font, text, style)),
    );
    let width = 0;
    const positions = new Map<ShapedRun, number>();
    for (const run of sortVisually(shaped)) {
      positions.set(run, width);
      width += (run.width * style.size) / 1000;
    }
    return {
      width,
      pieces: shaped.map((run) => ({ font: run.font, text: run.text, x: positions.get(run) ?? 0 })),
    };
  };

  const widthOf = (runs: FontRun[], style: TextStyle) =>
    runs.reduce((sum, run) => {
      const font = run.font ?? spaceFont(style);
      return sum + ((font && shape(font, run.text, style)?.width) ?? 0);
    }, 0) *
    (style.size / 1000);

  /** Splits a character that is wider than a line, such as a hundred joined emoji or stacked marks. */
  const chooseFitting = (character: string, style: TextStyle, width: number): FontRun[][] => {
    const runs = choose(character, style);
    if (widthOf(runs, style) <= width) return [runs];
    // A compatibility character can be a whole word: without a font for it, "㌀" becomes "アパート".
    return Array.from(character.normalize('NFKC'), (part) => choose(part, style));
  };

  return {
    line: (text, style) => {
      const singleLine = normaliseText(text).replaceAll('\n', ' ');
      const paragraph = readParagraph(singleLine, (character) => [choose(character, style)]);
      return layoutLine(paragraph, 0, paragraph.characters.length, style);
    },
    lines: (text, style, width) =>
      normaliseText(text)
        .split('\n')
        .flatMap((paragraph) =>
          breakLines(
            readParagraph(paragraph, (character) => chooseFitting(character, style, width)),
            width,
            {
              layoutLine: (read, start, end) => layoutLine(read, start, end, style),
              widthOf: ({ runs }) => widthOf(runs, style),
            },
          ),
        ),
    draw: (line, style, x, y) => {
      for (const piece of line.pieces) {
        selectFont(piece.font)
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
}

/** Joins the characters of a line into runs of one font and one direction. */
function joinRuns(
  { characters }: Paragraph,
  start: number,
  end: number,
  spaceFont: FontFile | null,
): TextRun[] {
  const joined: TextRun[] = [];
  for (const { runs, level } of characters.slice(start, end)) {
    for (const { font, text } of runs) {
      const last = joined.at(-1);
      const isSameFont = font === null ? canContainSpace(last) : last?.font === font;
      if (last?.level === level && isSameFont) last.parts.push(text);
      else joined.push({ font: font ?? spaceFont, level, parts: [text] });
    }
  }
  return joined;
}

/** A space uses the font of the word before it, unless that is an emoji or a lone mark. */
const canContainSpace = (run: TextRun | undefined) =>
  run?.font != null &&
  !run.font.key.startsWith('noto-emoji') &&
  /[\p{L}\p{N}\p{P}\p{Zs}]/u.test(run.parts.at(-1) ?? '');

const featuresOf = (style: TextStyle): PDFKit.Mixins.OpenTypeFeatures[] => (style.tabular ? ['tnum'] : []);
