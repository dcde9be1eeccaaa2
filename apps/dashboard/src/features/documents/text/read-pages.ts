import { blocksFromLayout, mostCommonSize, placeOf } from './layout-blocks.ts';
import { blocksFromTags, type StructureNode } from './tagged-blocks.ts';
import { type PlacedText, type TextBlock, textOf } from './text-blocks.ts';

/** The content of a page and, when the PDF has one, its structure tree. */
export interface ReadPage {
  text: PlacedText;
  structure: StructureNode | null;
}

/**
 * Converts the pages of a document to blocks in reading order. A header or footer that several pages repeat is shown once.
 */
export function blocksOfPages(pages: readonly ReadPage[]): TextBlock[][] {
  const bodySize = mostCommonSize(pages.flatMap(({ text }) => text.pieces));
  const repeated = repeatedEdges(pages.map(({ text }) => text));
  return pages.map(({ text, structure }, page) => {
    const tagged = blocksFromTags(text, structure);
    if (tagged) return tagged;
    return blocksFromLayout({ ...text, pieces: withoutRepeats(text, repeated, page) }, bodySize);
  });
}

/** Blanks the pieces that an earlier page shows at the same place; the others keep their index. */
function withoutRepeats(text: PlacedText, firstPages: Map<string, number>, page: number) {
  return text.pieces.map((piece) => {
    const first = isAtEdge(piece, text.pageHeight) ? firstPages.get(keyOf(piece)) : undefined;
    return first !== undefined && first < page ? { ...piece, str: '' } : piece;
  });
}

/** For each text at the top or bottom edge, the first page that has it. */
function repeatedEdges(texts: readonly PlacedText[]): Map<string, number> {
  const firstPages = new Map<string, number>();
  for (const [page, { pieces, pageHeight }] of texts.entries()) {
    for (const piece of pieces) {
      if (!isAtEdge(piece, pageHeight) || firstPages.has(keyOf(piece))) continue;
      firstPages.set(keyOf(piece), page);
    }
  }
  return firstPages;
}

const isAtEdge = (piece: PlacedText['pieces'][number], pageHeight: number) =>
  piece.str.trim() !== '' && placeOf(piece, pageHeight) !== 'body';

/** Page numbers count as the same text. */
const keyOf = ({ str, y }: PlacedText['pieces'][number]) =>
  `${Math.round(y / 3)} ${str.trim().replaceAll(/\d+/g, '#')}`;

/** Whether any page has text; a scan has none. */
export const hasText = (pages: readonly TextBlock[][]): boolean =>
  pages.some((blocks) =>
    blocks.some((block) =>
      block.kind === 'row'
        ? block.cells.some((cell) => textOf(cell) !== '')
        : block.kind !== 'figure' && textOf(block.runs) !== '',
    ),
  );
