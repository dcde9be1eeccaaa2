interface Drawing {
  width: number;
  height: number;
  /** Each is x and y by turns, y downwards. */
  strokes: number[][];
}

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
  color: string;
}

/** Draws a signature's strokes as smooth lines, as large as its box allows, on the box's lower left. */
export function setStrokes(pdf: PDFKit.PDFDocument, drawing: Drawing, box: Box): void {
  const strokes = drawing.strokes.map(pointsOf).filter((points) => points.length > 0);
  const points = strokes.flat();
  if (points.length === 0) return;
  const left = least(points.map(([x]) => x));
  const top = least(points.map(([, y]) => y));
  const width = Math.max(1, most(points.map(([x]) => x)) - left);
  const height = Math.max(1, most(points.map(([, y]) => y)) - top);
  // A short stroke is not blown up: the drawing never stands larger than its own field would.
  const scale = Math.min(
    box.width / width,
    box.height / height,
    (box.width / Math.max(1, drawing.width)) * 2,
  );
  const bottom = box.y + box.height;
  const place = ([x, y]: Point): Point => [box.x + (x - left) * scale, bottom - (height - (y - top)) * scale];
  pdf.save().lineCap('round').lineJoin('round').lineWidth(1.4).strokeColor(box.color);
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

/** A curve through the middles of the points, bent towards each point: no corners where the pen was sampled. */
function drawStroke(pdf: PDFKit.PDFDocument, points: readonly Point[]): void {
  const [first, second] = points;
  if (!first) return;
  pdf.moveTo(...first);
  if (!second) {
    pdf.lineTo(first[0] + 0.01, first[1]).stroke();
    return;
  }
  pdf.lineTo(...middle(first, second));
  for (let index = 1; index + 1 < points.length; index += 1) {
    const point = points[index] as Point;
    pdf.quadraticCurveTo(...point, ...middle(point, points[index + 1] as Point));
  }
  pdf.lineTo(...(points.at(-1) as Point)).stroke();
}

const middle = (one: Point, other: Point): Point => [(one[0] + other[0]) / 2, (one[1] + other[1]) / 2];

const least = (numbers: readonly number[]) => numbers.reduce((found, number) => Math.min(found, number));
const most = (numbers: readonly number[]) => numbers.reduce((found, number) => Math.max(found, number));
