import type { FontFile, FontLibrary } from '../fonts/font-library.ts';
import { breakLines } from './break-lines.ts';
import { createGlyphShaper, featuresOf, type GlyphShaper } from './glyph-shaper.ts';
import { normaliseText, type Paragraph, readParagraph } from './read-paragraph.ts';
import { type ShapedRun, shapeRun, sortVisually, type TextRun } from './shape-text.ts';
import type { TextLine, TextStyle } from './text-style.ts';

export interface TextWriter {
  /**
   * Breaks text in any script into lines: at spaces, after hyphens and between ideographs, or within a word that is
   * wider than a line, but never within a grapheme cluster that fits. Returns at least one line.
   *
   * @param width points
   */
  lines(text: string, style: TextStyle, width: number): TextLine[];
  /** Lays out text as a single line without breaking it. */
  line(text: string, style: TextStyle): TextLine;
  /** Draws a line. @param y the baseline, in points from the top of the page */
  draw(line: TextLine, style: TextStyle, x: number, y: number): void;
}

/**
 * Creates a writer for text in any script. It chooses fonts character by character; characters without a font appear
 * as U+FFFD. No text makes it throw.
 */
export function createTextWriter(pdf: PDFKit.PDFDocument, fonts: FontLibrary): TextWriter {
  const shaper = createGlyphShaper(pdf, fonts);
  return {
    line: (text, style) => {
      const singleLine = normaliseText(text).replaceAll('\n', ' ');
      const paragraph = readParagraph(singleLine, (character) => [shaper.choose(character, style)]);
      return layoutLine(shaper, style, paragraph, 0, paragraph.characters.length);
    },
    lines: (text, style, width) =>
      normaliseText(text)
        .split('\n')
        .flatMap((paragraph) =>
          breakLines(
            readParagraph(paragraph, (character) => shaper.chooseFitting(character, style, width)),
            width,
            {
              layoutLine: (read, start, end) => layoutLine(shaper, style, read, start, end),
              widthOf: ({ runs }) => shaper.widthOf(runs, style),
            },
          ),
        ),
    draw: (line, style, x, y) => {
      for (const piece of line.pieces) {
        shaper
          .selectFont(piece.font)
          .fontSize(style.size)
          .fillColor(style.colour)
          .text(piece.text, x + piece.x, y, {
            lineBreak: false,
            baseline: 'alphabetic',
            features: featuresOf(style),
          });
      }
    },
  };
}

/** Lays out a part of a paragraph as one line. */
function layoutLine(
  shaper: GlyphShaper,
  style: TextStyle,
  paragraph: Paragraph,
  start: number,
  end: number,
): TextLine {
  const [replacement] = shaper.choose('\u{fffd}', style);
  const shaped = joinRuns(paragraph, start, end, shaper.spaceFont(style)).flatMap((run) =>
    shapeRun(run, replacement?.font ?? null, (font, text) => shaper.shape(font, text, style)),
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
