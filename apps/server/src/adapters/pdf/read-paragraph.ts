import bidiFactory from 'bidi-js';
import type { Glyphs } from './choose-fonts.ts';

/** What reads as one character (a grapheme cluster), in the order of reading. */
export interface Character {
  text: string;
  glyphs: Glyphs[];
  /** Of the Unicode bidirectional algorithm: odd from right to left. */
  level: number;
  /** A space that a line may end with. */
  space: boolean;
}

export interface Paragraph {
  characters: Character[];
  rightToLeft: boolean;
}

/** Composed, well-formed, with one kind of line end; control characters are seen as U+FFFD. */
export const readable = (text: string) =>
  text
    .toWellFormed()
    .normalize('NFC')
    .replace(/\r\n|[\n\r\v\f\u{85}\u{2028}\u{2029}]/gu, '\n')
    .replace(/\t/gu, ' ')
    .replace(/[^\P{Cc}\n]/gu, '\u{fffd}');

const segmenter = new Intl.Segmenter('en-GB', { granularity: 'grapheme' });
const bidi = bidiFactory();

/**
 * One paragraph, character by character, each with its direction.
 * @param text `readable`, without line ends
 * @param glyphsOf what a character is drawn with; several where it has to be taken apart
 */
export function readParagraph(text: string, glyphsOf: (character: string) => Glyphs[][]): Paragraph {
  const { levels, paragraphs } = bidi.getEmbeddingLevels(text);
  return {
    rightToLeft: ((paragraphs[0]?.level ?? 0) & 1) === 1,
    characters: readCharacters(text).flatMap(({ segment, index }) => {
      const level = levels[index] ?? 0;
      const mirrored = level & 1 ? bidi.getMirroredCharacter(segment) : null;
      const space = /^[^\P{Zs}\u{a0}\u{2007}\u{202f}]+$/u.test(segment);
      return glyphsOf(mirrored ?? segment).map((glyphs) => ({ text: segment, glyphs, level, space }));
    }),
  };
}

/**
 * What reads as one character, with its place in the text. Asked for in short stretches: the segmenter puts the whole
 * text beside every character it gives, which for a long one fills the memory.
 */
function readCharacters(text: string): { segment: string; index: number }[] {
  const found: { segment: string; index: number }[] = [];
  let from = 0;
  let length = 128;
  while (from < text.length) {
    const end = from + length + (/[\u{d800}-\u{dbff}]$/u.test(text.slice(from, from + length)) ? 1 : 0);
    const segments = Array.from(segmenter.segment(text.slice(from, end)), ({ segment }) => segment);
    // The last may go on in the next stretch.
    if (end < text.length) segments.pop();
    length = segments.length > 0 ? 128 : length * 2;
    for (const segment of segments) {
      found.push({ segment, index: from });
      from += segment.length;
    }
  }
  return found;
}
