import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import { unpackWoff } from './unpack-woff.ts';

const require = createRequire(import.meta.url);

test('unpacks a WOFF file into a TrueType font with correct table checksums', () => {
  const font = unpackWoff(
    readFileSync(require.resolve('@fontsource/figtree/files/figtree-latin-400-normal.woff')),
  );
  const count = font.readUInt16BE(4);
  const tags: string[] = [];
  for (let entry = 12; entry < 12 + count * 16; entry += 16) {
    const tag = font.toString('latin1', entry, entry + 4);
    const offset = font.readUInt32BE(entry + 8);
    const length = font.readUInt32BE(entry + 12);
    // The checksum of `head` excludes its own checksum field.
    if (tag !== 'head') expect(computeChecksum(font, offset, length)).toBe(font.readUInt32BE(entry + 4));
    tags.push(tag);
  }
  expect(tags).toEqual(expect.arrayContaining(['cmap', 'glyf', 'head', 'hmtx', 'name']));
});

/** Sums 32-bit words, as the font format specifies. */
function computeChecksum(font: Buffer, offset: number, length: number): number {
  let sum = 0;
  for (let position = offset; position < offset + length; position += 4)
    sum = (sum + font.readUInt32BE(position)) >>> 0;
  return sum;
}
