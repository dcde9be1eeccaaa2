import { expect, test } from 'vitest';
import { findTextColumn, readingZoom } from './text-column.ts';

const text = (...lines: [x: number, width: number, str?: string][]) => ({
  pageHeight: 842,
  pieces: lines.map(([x, width, str = 'words']) => ({
    str,
    x,
    width,
    y: 500,
    height: 10,
    hasEOL: true,
    mark: null,
  })),
});

test('finds where the lines of a page start and end', () => {
  expect(findTextColumn(text([60, 300], [80, 400], [0, 600, ' ']), 600)).toEqual({ start: 0.1, end: 0.8 });
  expect(findTextColumn(text(), 600)).toBeNull();
  // A rotated page.
  expect(findTextColumn(text([60, 700]), 600)).toBeNull();
});

test('a double tap fills the width with the lines, so that none is cut', () => {
  const zoom = readingZoom({ start: 0.1, end: 0.9 }, { pageWidth: 800, availableWidth: 366, fit: 0.4875 });
  expect(zoom * 800 * 0.8).toBeCloseTo(366);
});

test('a double tap doubles a page without text or margins', () => {
  expect(readingZoom(null, { pageWidth: 800, availableWidth: 366, fit: 0.49 })).toBe(0.98);
  expect(readingZoom({ start: 0, end: 1 }, { pageWidth: 800, availableWidth: 366, fit: 0.49 })).toBe(0.98);
});
