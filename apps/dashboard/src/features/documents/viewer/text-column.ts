import type { PlacedText } from '../text/text-blocks.ts';

/** Where the lines of a page start and end, as parts of its width. */
export interface TextColumn {
  start: number;
  end: number;
}

/**
 * Finds the column that contains all text of a page.
 * @param pageWidth in PDF points
 * @returns null for a page without text
 */
export function findTextColumn({ pieces }: PlacedText, pageWidth: number): TextColumn | null {
  const written = pieces.filter(({ str }) => str.trim() !== '');
  if (written.length === 0 || pageWidth <= 0) return null;
  const start = Math.min(...written.map(({ x }) => x)) / pageWidth;
  const end = Math.max(...written.map(({ x, width }) => x + width)) / pageWidth;
  // A rotated page has other coordinates than the screen.
  return start >= 0 && end <= 1 && start < end ? { start, end } : null;
}

/**
 * Returns the zoom for a double tap: lines fill the width, so that none is cut. Where that is hardly larger than the whole
 * page, twice its size.
 * @param pageWidth in CSS pixels at 100%
 */
export function readingZoom(
  column: TextColumn | null,
  { pageWidth, availableWidth, fit }: { pageWidth: number; availableWidth: number; fit: number },
): number {
  const filling = column ? availableWidth / ((column.end - column.start) * pageWidth) : 0;
  return filling >= fit * 1.1 ? filling : fit * 2;
}
