import type { SignatureBody } from '@keyturn/contract';

type Drawing = NonNullable<SignatureBody['drawing']>;

interface Point {
  x: number;
  y: number;
}

/**
 * What was drawn on a pad of so many CSS pixels, in whole numbers, as the contract takes it. Points outside of the pad
 * are moved to its edge; points too near to each other to be told apart are left out. Nothing drawn: undefined.
 */
export function signatureDrawing(
  lines: readonly (readonly Point[])[],
  pad: { width: number; height: number },
): Drawing | undefined {
  const width = inRange(pad.width * detail, mostUnits, 1);
  const height = inRange(pad.height * detail, mostUnits, 1);
  const all = lines
    .map((line) =>
      thin(line.map(({ x, y }) => ({ x: inRange(x * detail, width), y: inRange(y * detail, height) }))),
    )
    .filter((line) => line.length > 0)
    .slice(0, mostStrokes);
  // Coarser for a drawing of very many points: all of it has to arrive.
  const every = Math.ceil(all.reduce((count, line) => count + line.length, 0) / mostPoints);
  const strokes = all
    .map((line) => line.filter((_, index) => index % every === 0 || index === line.length - 1))
    .flatMap(parts)
    .slice(0, mostStrokes)
    .map((line) => line.flatMap(({ x, y }) => [x, y]));
  return strokes.length === 0 ? undefined : { width, height, strokes };
}

/** Units of the drawing for a CSS pixel. */
const detail = 2;
const mostUnits = 4_000;
const mostStrokes = 500;
const mostPoints = 6_000;
const mostPointsOfStroke = 2_000;
const leastDistance = 3;

const inRange = (value: number, most: number, least = 0) =>
  Math.round(Math.min(Math.max(Number.isFinite(value) ? value : least, least), most));

/** The first point, the last one, and those between that stand apart. */
function thin(line: Point[]): Point[] {
  const kept: Point[] = [];
  for (const [index, point] of line.entries()) {
    const last = kept.at(-1);
    const distance = last ? Math.hypot(point.x - last.x, point.y - last.y) : Number.POSITIVE_INFINITY;
    const isEnd = index === line.length - 1;
    if (distance >= leastDistance || (isEnd && distance > 0)) kept.push(point);
  }
  return kept;
}

/** A very long line in several, each beginning where the one before ends. */
function parts(line: Point[]): Point[][] {
  if (line.length <= mostPointsOfStroke) return [line];
  return [line.slice(0, mostPointsOfStroke), ...parts(line.slice(mostPointsOfStroke - 1))];
}
