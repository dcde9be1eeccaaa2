import { describe, expect, test } from 'vitest';
import { signatureDrawing } from './signature-drawing.ts';

const pad = { width: 692, height: 180 };
/** Within the bounds that the contract sets (`SignatureBody`). */
const fits = (drawing: ReturnType<typeof signatureDrawing>) =>
  drawing !== undefined &&
  drawing.strokes.length <= 500 &&
  drawing.strokes.every((stroke) => stroke.length >= 2 && stroke.length <= 4_000) &&
  drawing.strokes.flat().every((value) => Number.isInteger(value) && value >= 0 && value <= 4_000);

describe('a drawn signature', () => {
  test('is lines of whole numbers, in twice the detail of the screen', () => {
    const drawing = signatureDrawing(
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
    expect(fits(drawing)).toBe(true);
  });

  test('keeps to its pad, whatever the pointer did', () => {
    const drawing = signatureDrawing(
      [
        [
          { x: -5, y: 900 },
          { x: Number.NaN, y: 20 },
        ],
      ],
      pad,
    );
    expect(drawing?.strokes).toEqual([[0, 360, 0, 40]]);
    expect(fits(drawing)).toBe(true);
  });

  test('leaves out points that cannot be told apart, but not the last one', () => {
    const line = Array.from({ length: 11 }, (_, index) => ({ x: index / 10, y: 0 }));
    expect(signatureDrawing([line], pad)?.strokes).toEqual([[0, 0, 2, 0]]);
  });

  test('is nothing where nothing was drawn', () => {
    expect(signatureDrawing([], pad)).toBeUndefined();
    expect(signatureDrawing([[]], pad)).toBeUndefined();
  });

  test('of very many points is within what the contract and the server take', () => {
    const scribble = Array.from({ length: 40_000 }, (_, index) => ({
      x: (index * 37) % 692,
      y: (index * 91) % 180,
    }));
    const drawing = signatureDrawing([scribble, ...scribble.slice(0, 900).map((point) => [point])], pad);
    expect(fits(drawing)).toBe(true);
    expect(JSON.stringify(drawing).length).toBeLessThan(95_000);
  });
});
