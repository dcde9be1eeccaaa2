import { constants, crc32, deflateSync } from 'node:zlib';

/** Red, green and blue, 0 to 255. */
export type Colour = readonly [number, number, number];

/**
 * Draws a PNG from a function that returns the colour of each point. Averages four points per pixel to smooth edges.
 * The same picture gives the same bytes on every machine, because the compression only uses run lengths.
 * @param colourAt takes x and y in pixels from the top left
 */
export function drawPicture(
  width: number,
  height: number,
  colourAt: (x: number, y: number) => Colour,
): Buffer {
  const rows = Buffer.alloc((1 + width * 3) * height);
  let above = Buffer.alloc(width * 3);
  for (let y = 0; y < height; y += 1) {
    const row = Buffer.alloc(width * 3);
    for (let x = 0; x < width; x += 1) {
      const sum = [0, 0, 0];
      for (let sample = 0; sample < 4; sample += 1) {
        const colour = colourAt(x + 0.25 + (sample % 2) / 2, y + 0.25 + (sample >> 1) / 2);
        for (let band = 0; band < 3; band += 1) sum[band] = (sum[band] ?? 0) + (colour[band] ?? 0);
      }
      // Rounding to steps of 3 repeats more bytes, so the file is smaller.
      for (let band = 0; band < 3; band += 1) row[x * 3 + band] = Math.round((sum[band] ?? 0) / 4 / 3) * 3;
    }
    const start = y * (1 + width * 3);
    // PNG filter 2: each byte minus the byte above it.
    rows[start] = 2;
    for (let at = 0; at < row.length; at += 1) rows[start + 1 + at] = (row[at] ?? 0) - (above[at] ?? 0);
    above = row;
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // 8 bits per channel, colour type 2 (RGB).
  header.set([8, 2], 8);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows, { level: 9, strategy: constants.Z_RLE })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const content = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const whole = Buffer.alloc(content.length + 8);
  whole.writeUInt32BE(data.length, 0);
  content.copy(whole, 4);
  whole.writeUInt32BE(crc32(content), content.length + 4);
  return whole;
}

/** Blends two colours. @param share of the upper colour, 0 to 1 */
export const mix = (under: Colour, over: Colour, share: number): Colour => [
  under[0] + (over[0] - under[0]) * share,
  under[1] + (over[1] - under[1]) * share,
  under[2] + (over[2] - under[2]) * share,
];

/** Rises smoothly from 0 to 1 while `value` goes from `from` to `to`. */
export function smoothStep(from: number, to: number, value: number): number {
  const share = Math.min(1, Math.max(0, (value - from) / (to - from)));
  return share * share * (3 - 2 * share);
}

/** Returns a pseudo-random number from 0 to 1 that is always the same for the same two whole numbers. */
export function noise(x: number, y: number): number {
  let mixed = Math.imul(x | 0, 0x27d4eb2d) ^ Math.imul(y | 0, 0x165667b1);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d);
  mixed = Math.imul(mixed ^ (mixed >>> 12), 0x297a2d39);
  return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
}
