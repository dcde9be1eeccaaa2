import type { Character, Paragraph } from './read-paragraph.ts';
import type { TextLine } from './text-style.ts';

export interface LineMeasurements {
  /** Lays out the characters from `start` to before `end` as one line. */
  layoutLine(paragraph: Paragraph, start: number, end: number): TextLine;
  /** Measures one character alone, in points. */
  widthOf(character: Character): number;
}

/** Breaks a paragraph into lines of at most `width` points. Returns at least one line. */
export function breakLines(
  paragraph: Paragraph,
  width: number,
  { layoutLine, widthOf }: LineMeasurements,
): TextLine[] {
  const { characters } = paragraph;
  const lines: TextLine[] = [];
  let start = 0;
  while (start < characters.length) {
    let end = estimateLineEnd(characters, start, width, widthOf);
    // Joined characters have a different width together than alone, so the whole line is measured.
    let line = layoutLine(paragraph, start, withoutTrailingSpaces(characters, start, end));
    while (line.width > width + 0.01 && end > start + 1) {
      end = shortenLine(characters, start, end);
      line = layoutLine(paragraph, start, withoutTrailingSpaces(characters, start, end));
    }
    lines.push(line);
    start = end;
    while (characters[start]?.isSpace) start += 1;
  }
  if (lines.length === 0) return [layoutLine(paragraph, 0, 0)];
  return paragraph.isRightToLeft ? alignRight(lines) : lines;
}

/** Finds the last break opportunity within the width, from the widths of single characters. */
function estimateLineEnd(
  characters: readonly Character[],
  start: number,
  width: number,
  widthOf: (character: Character) => number,
): number {
  let end = start;
  let lineWidth = 0;
  let opportunity = 0;
  while (end < characters.length) {
    const character = characters[end] as Character;
    const characterWidth = widthOf(character);
    if (lineWidth + characterWidth > width && !character.isSpace && end > start) break;
    lineWidth += characterWidth;
    end += 1;
    if (end < characters.length && canBreakBetween(character, characters[end] as Character)) {
      opportunity = end;
    }
  }
  return end < characters.length && opportunity > start ? opportunity : end;
}

/** Aligns right-to-left lines at the right end of the longest. */
function alignRight(lines: readonly TextLine[]): TextLine[] {
  const right = Math.max(...lines.map(({ width }) => width));
  return lines.map(({ width, pieces }) => ({
    width: right,
    pieces: pieces.map((piece) => ({ ...piece, x: piece.x + right - width })),
  }));
}

/** Lines may break after spaces and hyphens, and around ideographs, except before closing punctuation. */
function canBreakBetween(before: Character, after: Character): boolean {
  if (after.isSpace) return false;
  if (before.isSpace) return true;
  if (/[\u{ad}\u{200b}\u{2010}\u{2013}\u{2014}]$/u.test(before.text)) return true;
  if (before.text === '-' || before.text === '/') return /^\p{L}/u.test(after.text);
  if (!ideograph.test(before.text) && !ideograph.test(after.text)) return false;
  return (
    !/^[\p{Pe}\p{Pf}\p{Po}\p{Lm}\u{a0}]/u.test(after.text) && !/[\p{Ps}\p{Pi}\u{a0}]$/u.test(before.text)
  );
}

const ideograph = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

function withoutTrailingSpaces(characters: readonly Character[], start: number, end: number): number {
  let last = end;
  while (last > start && characters[last - 1]?.isSpace) last -= 1;
  return last;
}

/** Removes the last word, or the last character of a word that fills the line. */
function shortenLine(characters: readonly Character[], start: number, end: number): number {
  for (let last = end - 1; last > start; last -= 1) {
    if (canBreakBetween(characters[last - 1] as Character, characters[last] as Character)) return last;
  }
  return end - 1;
}
