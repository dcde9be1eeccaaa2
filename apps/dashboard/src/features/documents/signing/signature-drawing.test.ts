import { expect, test } from 'vitest';
import { toSignatureDrawing } from './signature-drawing.ts';

const pad = { width: 692, height: 180 };
/** Whether a drawing is within the limits of the contract’s `SignatureBody`. */
const isWithinLimits = (drawing: ReturnType<typeof toSignatureDrawing>) =>
  drawing !== undefined &&
  drawing.strokes.length <= 500 &&
  drawing.strokes.every((stroke) => stroke.length >= 2 && stroke.length <= 4_000) &&
  drawing.strokes.flat().every((value) => Number.isInteger(value) && value >= 0 && value <= 4_000);

test('converts a drawn signature to whole numbers at twice the resolution of the screen', () => {
  const drawing = toSignatureDrawing(
    [
      [
        { x: 10.2, y: 20.4 },
        { x: 30, y: 40 },
      ],
      [{ x: 5, y: 5 }],
    ],
    pad,
  );
  expect(drawing).toEqual({
    width: 1384,
    height: 360,
    strokes: [
      [20, 41, 60, 80],
      [10, 10],
    ],
  });
  expect(isWithinLimits(drawing)).toBe(true);
});

test('moves points outside the signature pad to its edge', () => {
  const drawing = toSignatureDrawing(
    [
      [
        { x: -5, y: 900 },
        { x: Number.NaN, y: 20 },
      ],
    ],
    pad,
  );
  expect(drawing?.strokes).toEqual([[0, 360, 0, 40]]);
  expect(isWithinLimits(drawing)).toBe(true);
});

test('drops points too close together from a drawn signature, but keeps the last one', () => {
  const line = Array.from({ length: 11 }, (_, index) => ({ x: index / 10, y: 0 }));
  expect(toSignatureDrawing([line], pad)?.strokes).toEqual([[0, 0, 2, 0]]);
});

test('returns no drawing when nothing was drawn', () => {
  expect(toSignatureDrawing([], pad)).toBeUndefined();
  expect(toSignatureDrawing([[]], pad)).toBeUndefined();
});

test('reduces a drawing with very many points to the limits of the contract and the server', () => {
  const scribble = Array.from({ length: 40_000 }, (_, index) => ({
    x: (index * 37) % 692,
    y: (index * 91) % 180,
  }));
  const drawing = toSignatureDrawing([scribble, ...scribble.slice(0, 900).map((point) => [point])], pad);
  expect(isWithinLimits(drawing)).toBe(true);
  expect(JSON.stringify(drawing).length).toBeLessThan(95_000);
});
