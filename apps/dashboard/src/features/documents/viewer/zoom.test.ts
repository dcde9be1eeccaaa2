import { expect, test } from 'vitest';
import { drawScale, fitZoom, formatZoom, limitZoom, stepZoom } from './zoom.ts';

const a4 = { width: 794, height: 1123 };

test('changes the zoom to the next or previous step, also from between two steps, and stops at the limits', () => {
  expect(stepZoom(1, 1)).toBe(1.1);
  expect(stepZoom(1, -1)).toBe(0.9);
  expect(stepZoom(0.47, 1)).toBe(0.5);
  expect(stepZoom(0.47, -1)).toBe(0.25);
  expect(stepZoom(4, 1)).toBe(4);
  expect(stepZoom(0.25, -1)).toBe(0.25);
});

test('skips a zoom step that would hardly be visible', () => {
  expect(stepZoom(0.995, 1)).toBe(1.1);
  expect(stepZoom(1.003, -1)).toBe(0.9);
});

test('fits a page to the width of a phone, and limits its size on a wide screen', () => {
  expect(fitZoom(a4, 374) * a4.width).toBeCloseTo(374);
  expect(fitZoom(a4, 3_000)).toBe(1.2);
  expect(fitZoom(undefined, 374)).toBe(1.2);
});

test('clamps a pinch zoom to the supported range', () => {
  expect(limitZoom(0)).toBe(0.25);
  expect(limitZoom(99)).toBe(4);
});

test('formats the zoom as a whole percentage', () => {
  expect(formatZoom(0.47123)).toBe('47%');
});

test('draws a page at the pixel density of the screen', () => {
  expect(drawScale(a4, 0.5, 2)).toBe(1);
  expect(drawScale(a4, 1, 1.25)).toBe(1.25);
});

test('never draws a page larger than the maximum canvas size', () => {
  const scale = drawScale(a4, 4, 3);
  expect(a4.width * scale * a4.height * scale).toBeLessThanOrEqual(12_000_001);
  expect(scale).toBeGreaterThan(3);
});
