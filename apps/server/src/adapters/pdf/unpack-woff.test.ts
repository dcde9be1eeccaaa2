import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import { unpackWoff } from './unpack-woff.ts';

const require = createRequire(import.meta.url);

test('a WOFF file holds a font whose tables have the checksums that it promises', () => {
  const font = unpackWoff(
    readFileSync(require.resolve('@fontsource/figtree/files/figtree-latin-400-normal.woff')),
  );
  const count = font.readUInt16BE(4);
  const tags: string[] = [];
  for (let entry = 12; entry < 12 + count * 16; entry += 16) {
    const tag = font.toString('latin1', entry, entry + 4);
    const offset = font.readUInt32BE(entry + 8);
    const length = font.readUInt32BE(entry + 12);
    // The checksum of `head` leaves out a field of its own.
    if (tag !== 'head') expect(sumOf(font, offset, length)).toBe(font.readUInt32BE(entry + 4));
    tags.push(tag);
  }
  expect(tags).toEqual(expect.arrayContaining(['cmap', 'glyf', 'head', 'hmtx', 'name']));
});

/** Of 32-bit words, as the font format sums them. */
function sumOf(font: Buffer, offset: number, length: number): number {
  let sum = 0;
  for (let at = offset; at < offset + length; at += 4) sum = (sum + font.readUInt32BE(at)) >>> 0;
  return sum;
}
