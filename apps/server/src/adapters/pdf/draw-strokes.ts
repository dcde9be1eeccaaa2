interface Drawing {
  width: number;
  height: number;
  /** Alternating x and y coordinates, y pointing down. */
  strokes: number[][];
}

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
  colour: string;
}

/** Draws a signature's strokes as smooth curves at the bottom left of a box, scaled to fit. */
export function drawStrokes(pdf: PDFKit.PDFDocument, drawing: Drawing, box: Box): void {
  const strokes = drawing.strokes.map(pointsOf).filter((points) => points.length > 0);
  const points = strokes.flat();
  if (points.length === 0) return;
  const left = minimum(points.map(([x]) => x));
  const top = minimum(points.map(([, y]) => y));
  const width = Math.max(1, maximum(points.map(([x]) => x)) - left);
  const height = Math.max(1, maximum(points.map(([, y]) => y)) - top);
  // Limit the scale, so that a short stroke is not enlarged to the whole box.
  const scale = Math.min(
    box.width / width,
    box.height / height,
    (box.width / Math.max(1, drawing.width)) * 2,
  );
  const bottom = box.y + box.height;
  const place = ([x, y]: Point): Point => [box.x + (x - left) * scale, bottom - (height - (y - top)) * scale];
  pdf.save().lineCap('round').lineJoin('round').lineWidth(1.4).strokeColor(box.colour);
  for (const stroke of strokes) drawStroke(pdf, stroke.map(place));
  pdf.restore();
}

type Point = readonly [x: number, y: number];

function pointsOf(stroke: readonly number[]): Point[] {
  const points: Point[] = [];
  for (let index = 0; index + 1 < stroke.length; index += 2) {
    const x = stroke[index] as number;
    const y = stroke[index + 1] as number;
    const last = points.at(-1);
    if (!Number.isFinite(x) || !Number.isFinite(y) || (last?.[0] === x && last[1] === y)) continue;
    points.push([x, y]);
  }
  return points;
}

/** Draws a curve through the midpoints, with the points as control points, to smooth the sampled line. */
function drawStroke(pdf: PDFKit.PDFDocument, points: readonly Point[]): void {
  const [first, second] = points;
  if (!first) return;
  pdf.moveTo(...first);
  if (!second) {
    pdf.lineTo(first[0] + 0.01, first[1]).stroke();
    return;
  }
  pdf.lineTo(...midpoint(first, second));
  for (let index = 1; index + 1 < points.length; index += 1) {
    const point = points[index] as Point;
    pdf.quadraticCurveTo(...point, ...midpoint(point, points[index + 1] as Point));
  }
  pdf.lineTo(...(points.at(-1) as Point)).stroke();
}

const midpoint = (a: Point, b: Point): Point => [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2];

const minimum = (numbers: readonly number[]) => numbers.reduce((a, b) => Math.min(a, b));
const maximum = (numbers: readonly number[]) => numbers.reduce((a, b) => Math.max(a, b));
