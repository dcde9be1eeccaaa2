import type { TextPiece } from '../find/find-in-text.ts';

/** A piece of a page’s text together with its place on the page, in PDF points from the bottom left. */
export interface PlacedPiece extends TextPiece {
  x: number;
  y: number;
  width: number;
  /** The size of the font. */
  height: number;
  /** The marked content that it belongs to: an id of the structure tree, `artifact` for a header or footer, or null. */
  mark: string | null;
}

/** A page’s text, in the order of its content. */
export interface PlacedText {
  pieces: PlacedPiece[];
  pageHeight: number;
}

/** A piece of text in a block. `piece` is its index in the page’s pieces. */
export interface TextRun {
  piece: number;
  text: string;
  /** Whether a space separates it from the run before it. */
  isSpaced: boolean;
}

/** A part of a page’s text, to be shown below the previous one. */
export type TextBlock =
  | { kind: 'heading'; level: 1 | 2 | 3; runs: TextRun[] }
  | { kind: 'paragraph'; runs: TextRun[] }
  /** A part of a header or footer. */
  | { kind: 'edge'; runs: TextRun[] }
  | { kind: 'item'; runs: TextRun[] }
  | { kind: 'row'; cells: TextRun[][] }
  | { kind: 'figure'; description: string };

/**
 * Joins pieces to runs, with a space at every gap and wherever a line ends. The hyphen of a divided word stays,
 * because it may belong to the word.
 */
export function toRuns(pieces: readonly PlacedPiece[], indexes: readonly number[]): TextRun[] {
  const runs: TextRun[] = [];
  let previous: PlacedPiece | undefined;
  for (const index of indexes) {
    const piece = pieces[index];
    if (!piece) continue;
    if (piece.str.trim() === '') {
      if (previous) previous = { ...previous, hasEOL: previous.hasEOL || piece.hasEOL || piece.str !== '' };
      continue;
    }
    const isApart = previous !== undefined && (previous.hasEOL || isDistant(previous, piece));
    const isDivided = /\p{L}-$/u.test(previous?.str ?? '') && /^\p{Ll}/u.test(piece.str);
    runs.push({ piece: index, text: piece.str, isSpaced: isApart && !isDivided });
    previous = piece;
  }
  return runs;
}

/** Whether two pieces are on different lines, or have a visible gap between them. */
const isDistant = (previous: PlacedPiece, piece: PlacedPiece) =>
  Math.abs(previous.y - piece.y) > 1 || piece.x - previous.x - previous.width > piece.height * 0.15;

/** The text of runs as a reader sees it. */
export const textOf = (runs: readonly TextRun[]): string =>
  runs.map(({ text, isSpaced }) => (isSpaced ? ` ${text}` : text)).join('');
