import { type PlacedPiece, type PlacedText, type TextBlock, textOf, toRuns } from './text-blocks.ts';

/** A line of text, divided where a wide gap separates columns of a table. */
interface Line {
  segments: Segment[];
  x: number;
  end: number;
  y: number;
  height: number;
}

interface Segment {
  indexes: number[];
  x: number;
  end: number;
}

/**
 * Converts a page’s text to blocks by its layout: sizes make headings, gaps and short lines make paragraphs, wide gaps
 * make table cells.
 * @param bodySize the font size of most of the document’s text
 */
export function blocksFromLayout(text: PlacedText, bodySize: number): TextBlock[] {
  const lines = inReadingOrder(linesOf(text.pieces), text.pageHeight);
  const groups: Line[][] = [];
  for (const line of lines) {
    const group = groups.at(-1);
    if (group && continues(group, line, lines, text.pieces)) group.push(line);
    else groups.push([line]);
  }
  return groups.map((group) => {
    const isEdge = group[0] && placeOf(group[0], text.pageHeight) !== 'body';
    return isEdge
      ? { kind: 'edge', runs: runsOf(group, text.pieces) }
      : blockOf(group, text.pieces, bodySize);
  });
}

/** Returns the font size of most characters. */
export function mostCommonSize(pieces: readonly PlacedPiece[]): number {
  const characters = new Map<number, number>();
  for (const { str, height } of pieces) {
    const size = Math.round(height * 2) / 2;
    characters.set(size, (characters.get(size) ?? 0) + str.trim().length);
  }
  return [...characters].reduce((most, entry) => (entry[1] > most[1] ? entry : most), [0, 0])[0];
}

function linesOf(pieces: readonly PlacedPiece[]): Line[] {
  const lines: Line[] = [];
  let line: Line | undefined;
  for (const [index, piece] of pieces.entries()) {
    if (piece.str.trim() === '') continue;
    const { x, y, width, height } = piece;
    if (!line || Math.abs(line.y - y) > Math.max(line.height, height) * 0.45 || x < line.x - 1) {
      line = { segments: [], x, end: x, y, height };
      lines.push(line);
    }
    const segment = line.segments.at(-1);
    if (segment && x - segment.end < height * 1.6) {
      segment.indexes.push(index);
      segment.end = x + width;
    } else {
      line.segments.push({ indexes: [index], x, end: x + width });
    }
    line.end = Math.max(line.end, x + width);
    line.height = Math.max(line.height, height);
  }
  return lines;
}

/** Moves a header or footer that the PDF draws last to its visible position. The rest keeps its order. */
function inReadingOrder(lines: Line[], pageHeight: number): Line[] {
  return places.flatMap((place) => lines.filter((line) => placeOf(line, pageHeight) === place));
}

const places = ['header', 'body', 'footer'] as const;

/** Whether text is in the part of a page that usually has the header or footer. */
export const placeOf = ({ y }: { y: number }, pageHeight: number): (typeof places)[number] =>
  y > pageHeight * 0.9 ? 'header' : y < pageHeight * 0.08 ? 'footer' : 'body';

const startsItem = /^(?:[•▪◦‣●–—-]|\(?(?:\d{1,3}(?:\.\d{1,3})*|[a-z]|[ivx]{1,4})[.)])(?:\s|$)/u;

/** Whether a line belongs to the same block as the lines before it. */
function continues(
  group: readonly Line[],
  line: Line,
  lines: readonly Line[],
  pieces: readonly PlacedPiece[],
): boolean {
  const first = group[0];
  const previous = group.at(-1);
  if (!first || !previous) return false;
  const distance = previous.y - line.y;
  if (distance <= 0 || distance > Math.max(previous.height, line.height) * 1.75) return false;
  // The next line of a cell of a table starts where the cell does.
  if (first.segments.length > 1) {
    return (
      line.segments.length === 1 && first.segments.some(({ x }, cell) => cell > 0 && Math.abs(x - line.x) < 2)
    );
  }
  if (line.segments.length > 1 && !hasHangingBullet(line, pieces)) return false;
  if (Math.abs(previous.height - line.height) > line.height * 0.12) return false;
  const words = segmentText(line, pieces);
  if (startsItem.test(words)) return false;
  const isItem = startsItem.test(segmentText(first, pieces));
  if (!isItem && Math.abs(line.x - previous.x) > line.height * 3) return false;
  return !endsEarly(previous, words, lines);
}

/** Whether the next line’s first word would have fitted on this line: then its author ended the paragraph there. */
function endsEarly(line: Line, nextWords: string, lines: readonly Line[]): boolean {
  const edge = Math.max(
    ...lines.filter((other) => Math.abs(other.x - line.x) < 2 || other.end >= line.end).map(({ end }) => end),
  );
  const column = lines.filter((other) => Math.abs(other.x - line.x) < 2);
  const columnEdge = column.length > 1 ? Math.max(...column.map(({ end }) => end)) : edge;
  const word = nextWords.split(/\s/u, 1)[0] ?? '';
  return line.end + (word.length + 1) * line.height * 0.62 < columnEdge;
}

const hasHangingBullet = (line: Line, pieces: readonly PlacedPiece[]) =>
  line.segments.length === 2 && startsItem.test(`${wordsOf(line.segments[0], pieces)} `);

const wordsOf = (segment: Segment | undefined, pieces: readonly PlacedPiece[]) =>
  textOf(toRuns(pieces, segment?.indexes ?? []));

const segmentText = (line: Line, pieces: readonly PlacedPiece[]) =>
  line.segments.map((segment) => wordsOf(segment, pieces)).join(' ');

function blockOf(group: readonly Line[], pieces: readonly PlacedPiece[], bodySize: number): TextBlock {
  const [first] = group;
  const runs = runsOf(group, pieces);
  if (!first) return { kind: 'paragraph', runs };
  if (first.segments.length > 1 && !hasHangingBullet(first, pieces)) return rowOf(first, group, pieces);
  const text = segmentText(first, pieces);
  if (startsItem.test(text) && first.height < bodySize * 1.12) return { kind: 'item', runs };
  if (first.height >= bodySize * 1.12 && textOf(runs).length < 200) {
    return { kind: 'heading', level: first.height >= bodySize * 1.7 ? 1 : 2, runs };
  }
  return { kind: 'paragraph', runs };
}

const runsOf = (group: readonly Line[], pieces: readonly PlacedPiece[]) =>
  toRuns(
    pieces,
    group.flatMap(({ segments }) => segments.flatMap(({ indexes }) => indexes)),
  );

function rowOf(first: Line, group: readonly Line[], pieces: readonly PlacedPiece[]): TextBlock {
  const cells = first.segments.map(({ indexes }) => [...indexes]);
  for (const line of group.slice(1)) {
    const cell = first.segments.findIndex(({ x }) => Math.abs(x - line.x) < 2);
    cells[cell]?.push(...line.segments.flatMap(({ indexes }) => indexes));
  }
  return { kind: 'row', cells: cells.map((indexes) => toRuns(pieces, indexes)) };
}
