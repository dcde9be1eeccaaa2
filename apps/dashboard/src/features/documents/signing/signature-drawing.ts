import type { SignatureBody } from '@keyturn/contract';

type Drawing = NonNullable<SignatureBody['drawing']>;

interface Point {
  x: number;
  y: number;
}

/**
 * Converts lines drawn on a pad, in CSS pixels, to the whole numbers that the contract accepts. Moves points outside
 * the pad to its edge, and drops points too close together to tell apart.
 * @returns undefined when nothing was drawn
 */
export function toSignatureDrawing(
  lines: readonly (readonly Point[])[],
  pad: { width: number; height: number },
): Drawing | undefined {
  const width = clamp(pad.width * unitsPerPixel, 1, maxUnits);
  const height = clamp(pad.height * unitsPerPixel, 1, maxUnits);
  const thinned = lines
    .map((line) =>
      thin(
        line.map(({ x, y }) => ({
          x: clamp(x * unitsPerPixel, 0, width),
          y: clamp(y * unitsPerPixel, 0, height),
        })),
      ),
    )
    .filter((line) => line.length > 0)
    .slice(0, maxStrokes);
  // A drawing with too many points is sent with less detail, but never cut off.
  const keepEvery = Math.ceil(thinned.reduce((count, line) => count + line.length, 0) / maxPoints);
  const strokes = thinned
    .map((line) => line.filter((_, index) => index % keepEvery === 0 || index === line.length - 1))
    .flatMap(splitLongLine)
    .slice(0, maxStrokes)
    .map((line) => line.flatMap(({ x, y }) => [x, y]));
  return strokes.length === 0 ? undefined : { width, height, strokes };
}

const unitsPerPixel = 2;
const maxUnits = 4_000;
const maxStrokes = 500;
const maxPoints = 6_000;
const maxPointsPerStroke = 2_000;
/** In units of the drawing. */
const minDistance = 3;

const clamp = (value: number, min: number, max: number) =>
  Math.round(Math.min(Math.max(Number.isFinite(value) ? value : min, min), max));

/** Keeps the first and last points of a line, and those far enough from the point before. */
function thin(line: Point[]): Point[] {
  const kept: Point[] = [];
  for (const [index, point] of line.entries()) {
    const previous = kept.at(-1);
    const distance = previous
      ? Math.hypot(point.x - previous.x, point.y - previous.y)
      : Number.POSITIVE_INFINITY;
    const isEnd = index === line.length - 1;
    if (distance >= minDistance || (isEnd && distance > 0)) kept.push(point);
  }
  return kept;
}

/** Splits a very long line into several, each starting where the previous one ends. */
function splitLongLine(line: Point[]): Point[][] {
  if (line.length <= maxPointsPerStroke) return [line];
  return [line.slice(0, maxPointsPerStroke), ...splitLongLine(line.slice(maxPointsPerStroke - 1))];
}
