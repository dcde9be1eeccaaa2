import { type Colour, drawPicture, mix, noise, smoothStep } from './draw-picture.ts';

/** Drawing units per pixel. The functions below draw on 1200 by 900 units; the picture has 800 by 600 pixels. */
const scale = 1.5;
const drawScaled = (colourAt: (x: number, y: number) => Colour) =>
  drawPicture(1200 / scale, 900 / scale, (x, y) => colourAt(x * scale, y * scale));

/** Draws the survey photograph: the north wall of the chapel, with a red ring around the damp at its foot. */
export function drawNorthWall(): Buffer {
  const floor = 770;
  const courses = layCourses();
  return drawScaled((x, y) => {
    let colour = y < floor ? stoneColourAt(courses, x, y) : gravelColourAt(x, y);
    if (y < floor) {
      const dampness = dampnessAt(x, y, floor);
      colour = mix(colour, [74, 72, 58], dampness * 0.62);
      // A pale line of salts along the upper edge of the damp.
      colour = mix(colour, [226, 222, 208], Math.max(0, 1 - Math.abs(dampness - 0.18) * 9) * 0.5);
      colour = windowColourAt(x, y, 300, 150, colour);
      colour = windowColourAt(x, y, 900, 150, colour);
      // The wall darkens where it meets the ground.
      colour = mix(colour, [52, 48, 40], smoothStep(floor - 30, floor, y) * 0.45);
    }
    const fromRing = Math.abs(Math.hypot((x - 590) / 250, (y - 660) / 128) - 1);
    colour = mix(colour, [196, 42, 38], 1 - smoothStep(0.018, 0.03, fromRing));
    // Light from the upper left, and darker corners like those of a photograph.
    const rim = Math.hypot((x - 560) / 900, (y - 400) / 760);
    return mix(colour, [20, 18, 22], smoothStep(0.45, 1.25, rim) * 0.42);
  });
}

interface Course {
  top: number;
  depth: number;
  /** The left edge of each stone. */
  joints: number[];
}

/** Lays out rubble masonry: rows of different heights with stones of different lengths. */
function layCourses(): Course[] {
  const courses: Course[] = [];
  for (let top = -20; top < 900; top += courses.at(-1)?.depth ?? 0) {
    const number = courses.length;
    const joints: number[] = [];
    for (let left = -60 - Math.floor(noise(number, 3) * 90); left < 1400; ) {
      joints.push(left);
      left += 64 + Math.floor(noise(number, joints.length + 50) * 104);
    }
    courses.push({ top, depth: 38 + Math.floor(noise(number, 7) * 26), joints });
  }
  return courses;
}

/** The colour of a stone's face, or of the pale mortar around it. */
function stoneColourAt(courses: Course[], x: number, y: number): Colour {
  const course = courses.findLastIndex(({ top }) => top <= y);
  const { top, depth, joints } = courses[course] ?? { top: 0, depth: 900, joints: [0, 1200] };
  const index = joints.findLastIndex((joint) => joint <= x);
  const left = joints[index] ?? 0;
  const length = (joints[index + 1] ?? 1400) - left;
  const inset = 3.5 + noise(index, course + 9) * 1.5;
  const fromEdge = Math.min(x - left, left + length - x, y - top, top + depth - y);
  const kind = noise(course * 31, index * 17 + 5);
  const stone: Colour = kind < 0.5 ? [176, 160, 128] : kind < 0.8 ? [160, 148, 124] : [188, 168, 126];
  const shade = (noise(index + 11, course + 70) - 0.5) * 26;
  const grain = (noise(Math.floor(x / 6), Math.floor(y / 5)) - 0.5) * 9;
  const face: Colour = [stone[0] + shade + grain, stone[1] + shade + grain, stone[2] + shade + grain];
  const lit = y - top < inset + 5 ? 0.14 : 0;
  return mix([205, 196, 174], mix(face, [236, 226, 198], lit), smoothStep(inset - 2, inset + 1, fromEdge));
}

function gravelColourAt(x: number, y: number): Colour {
  const grain =
    noise(Math.floor(x / 5), Math.floor(y / 4)) + noise(Math.floor((x + y) / 13), Math.floor(y / 9));
  const value = 112 + grain * 24 + (y - 770) * 0.12;
  return [value + 8, value, value - 14];
}

/** How wet the wall is, 0 to 1: the damp rises in an uneven line, highest below the broken gutter. */
function dampnessAt(x: number, y: number, floor: number): number {
  const rise =
    60 + 112 * Math.exp(-(((x - 590) / 150) ** 2)) + 12 * Math.sin(x / 41) + 7 * Math.sin(x / 17 + 1);
  return smoothStep(0, 1, (y - (floor - rise)) / 60 + 0.25);
}

/** The colour of a pointed window with leaded panes in a stone frame, or of the wall outside it. */
function windowColourAt(x: number, y: number, middle: number, top: number, wall: Colour): Colour {
  const inside = (grow: number) => {
    const half = 74 + grow;
    const across = Math.abs(x - middle);
    const spring = top + 128;
    if (y > 470 + grow || across > half) return false;
    return y >= spring || Math.hypot(across + half, (y - spring) * 1.0) < 2 * half;
  };
  if (!inside(26)) return wall;
  if (!inside(0)) {
    const joint = Math.floor((y + 14) / 58) % 2 === 0 ? 0 : 8;
    return [204 - joint, 194 - joint, 166 - joint];
  }
  const across = (((x - middle + (y - top) * 0.55) % 44) + 44) % 44;
  const down = (((x - middle - (y - top) * 0.55) % 44) + 44) % 44;
  if (Math.min(across, 44 - across, down, 44 - down) < 2.2) return [44, 46, 50];
  const pane = noise(
    Math.floor((x - middle + (y - top) * 0.55) / 44),
    Math.floor((x - middle - (y - top) * 0.55) / 44),
  );
  return mix([58, 74, 88], [148, 170, 184], pane * 0.6 + smoothStep(520, 140, y) * 0.25);
}

/** Draws the plan of the drain shared by 14 and 16 Alder Row: two houses, their gardens and the pipe to the road. */
export function drawSharedDrain(): Buffer {
  const paper: Colour = [250, 248, 242];
  const ink: Colour = [40, 48, 44];
  const boundary: Colour = [176, 52, 44];
  const water: Colour = [26, 104, 148];
  return drawScaled((x, y) => {
    let colour: Colour = paper;
    if (y > 700) colour = [226, 224, 216];
    if (y > 790 && y < 798 && Math.floor(x / 36) % 2 === 0) colour = paper;
    if (isInside(x, y, 150, 90, 590, 690)) colour = [232, 240, 222];
    if (isInside(x, y, 610, 90, 1050, 690)) colour = [240, 243, 232];
    for (const [left, right] of [
      [220, 560],
      [640, 980],
    ] as const) {
      if (isInside(x, y, left, 330, right, 560)) {
        colour = [222, 208, 186];
        // The hatched roof and its ridge.
        if ((((x + y) % 22) + 22) % 22 < 2) colour = [190, 172, 146];
        if (Math.abs(y - 445) < 2) colour = ink;
      }
      if (isOnFrame(x, y, left, 330, right, 560, 3)) colour = ink;
      if (isOnFrame(x, y, left + 110, 560, left + 190, 600, 2)) colour = ink;
    }
    if (isOnFrame(x, y, 150, 90, 590, 690, 4)) colour = boundary;
    if (isOnFrame(x, y, 610, 90, 1050, 690, 2)) colour = ink;
    // The alley between the houses.
    if (isInside(x, y, 594, 90, 606, 690)) colour = [214, 210, 198];
    // The pipe comes from number 16, crosses the garden of number 14 and runs to the road.
    const pipe = Math.min(
      distanceToLine(x, y, 810, 250, 480, 250),
      distanceToLine(x, y, 810, 330, 810, 250),
      distanceToLine(x, y, 390, 330, 480, 250),
      distanceToLine(x, y, 480, 250, 190, 250),
      distanceToLine(x, y, 190, 250, 190, 820),
    );
    if (pipe < 5) colour = water;
    for (const [atX, atY] of [
      [480, 250],
      [190, 250],
      [190, 820],
    ] as const) {
      const away = Math.hypot(x - atX, y - atY);
      if (away < 17) colour = away < 12 ? paper : water;
    }
    // The north arrow.
    const arrow = Math.abs(x - 1120) * 2.2;
    if (y > 90 && y < 150 && arrow < y - 90) colour = ink;
    if (isInside(x, y, 1117, 150, 1123, 215)) colour = ink;
    // The scale bar: ten metres in steps of two.
    if (isInside(x, y, 850, 846, 1100, 856)) colour = Math.floor((x - 850) / 50) % 2 === 0 ? ink : paper;
    if (isOnFrame(x, y, 850, 846, 1100, 856, 1.5)) colour = ink;
    return colour;
  });
}

const isInside = (x: number, y: number, left: number, top: number, right: number, bottom: number) =>
  x >= left && x <= right && y >= top && y <= bottom;

const isOnFrame = (
  x: number,
  y: number,
  left: number,
  top: number,
  right: number,
  bottom: number,
  thickness: number,
) =>
  isInside(x, y, left - thickness, top - thickness, right + thickness, bottom + thickness) &&
  !isInside(x, y, left, top, right, bottom);

/** The distance of a point from a line segment. */
function distanceToLine(x: number, y: number, x1: number, y1: number, x2: number, y2: number): number {
  const length = (x2 - x1) ** 2 + (y2 - y1) ** 2;
  const along = Math.min(1, Math.max(0, ((x - x1) * (x2 - x1) + (y - y1) * (y2 - y1)) / length));
  return Math.hypot(x - x1 - along * (x2 - x1), y - y1 - along * (y2 - y1));
}
