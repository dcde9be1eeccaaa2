import type { PageMatches } from '../find/use-find.ts';
import type { TextRun } from './text-blocks.ts';

/** A part of a run, inside or outside a match. */
export interface MarkedPart {
  text: string;
  /** The index of the match; null outside one. */
  match: number | null;
  isCurrent: boolean;
}

/** Divides a run of text where matches of the client’s search start and end. */
export function markMatches({ piece, text }: TextRun, { found, current }: PageMatches): MarkedPart[] {
  const parts: MarkedPart[] = [];
  let position = 0;
  const take = (end: number, match: number | null) => {
    if (end > position)
      parts.push({ text: text.slice(position, end), match, isCurrent: match === current && match !== null });
    position = Math.max(position, end);
  };
  for (const [index, { from, to }] of found.entries()) {
    if (piece < from.piece || piece > to.piece) continue;
    take(piece === from.piece ? from.offset : 0, null);
    take(piece === to.piece ? to.offset : text.length, index);
  }
  take(text.length, null);
  return parts;
}
