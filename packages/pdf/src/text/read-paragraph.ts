import bidiFactory from 'bidi-js';
import type { FontRun } from '../fonts/choose-fonts.ts';

/** A grapheme cluster, which reads as one character. */
export interface Character {
  text: string;
  runs: FontRun[];
  /** Level of the Unicode bidirectional algorithm: odd for right to left. */
  level: number;
  /** Whether it is a space at which a line may break. */
  isSpace: boolean;
}

export interface Paragraph {
  /** In logical order. */
  characters: Character[];
  isRightToLeft: boolean;
}

/** Normalises text: NFC, well-formed, `\n` for all line breaks; other control characters become U+FFFD. */
export const normaliseText = (text: string) =>
  text
    .toWellFormed()
    .normalize('NFC')
    .replace(/\r\n|[\n\r\v\f\u{85}\u{2028}\u{2029}]/gu, '\n')
    .replace(/\t/gu, ' ')
    .replace(/[^\P{Cc}\n]/gu, '\u{fffd}');

const segmenter = new Intl.Segmenter('en-GB', { granularity: 'grapheme' });
const bidi = bidiFactory();

/**
 * Splits a paragraph into characters with directions and fonts.
 *
 * @param text normalised, without line breaks
 * @param chooseRuns returns the font runs of a character; several lists if the character must be split
 */
export function readParagraph(text: string, chooseRuns: (character: string) => FontRun[][]): Paragraph {
  const { levels, paragraphs } = bidi.getEmbeddingLevels(text);
  return {
    isRightToLeft: ((paragraphs[0]?.level ?? 0) & 1) === 1,
    characters: segmentText(text).flatMap(({ segment, index }) => {
      const level = levels[index] ?? 0;
      const mirrored = level & 1 ? bidi.getMirroredCharacter(segment) : null;
      const isSpace = /^[^\P{Zs}\u{a0}\u{2007}\u{202f}]+$/u.test(segment);
      return chooseRuns(mirrored ?? segment).map((runs) => ({ text: segment, runs, level, isSpace }));
    }),
  };
}

/**
 * Splits a text into grapheme clusters with their positions. Works in short stretches, because the segmenter attaches
 * the whole input to every segment, which fills the memory for long texts.
 */
function segmentText(text: string): { segment: string; index: number }[] {
  const result: { segment: string; index: number }[] = [];
  let start = 0;
  let length = 128;
  while (start < text.length) {
    const end = start + length + (/[\u{d800}-\u{dbff}]$/u.test(text.slice(start, start + length)) ? 1 : 0);
    const segments = Array.from(segmenter.segment(text.slice(start, end)), ({ segment }) => segment);
    // The last segment may continue in the next stretch.
    if (end < text.length) segments.pop();
    length = segments.length > 0 ? 128 : length * 2;
    for (const segment of segments) {
      result.push({ segment, index: start });
      start += segment.length;
    }
  }
  return result;
}
