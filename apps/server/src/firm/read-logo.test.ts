import { crc32, deflateSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { DomainError } from '../platform/domain-error.ts';
import { maxLogoBytes, readLogo } from './read-logo.ts';

const pngStart = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');

function chunk(type: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), content]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(content.length, 0);
  body.copy(framed, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
}

function header(width: number, height: number, colourType = 6): Buffer {
  const content = Buffer.alloc(13);
  content.writeUInt32BE(width, 0);
  content.writeUInt32BE(height, 4);
  content.set([8, colourType, 0, 0, 0], 8);
  return chunk('IHDR', content);
}

/** A transparent picture. */
const png = (
  width: number,
  height: number,
  { more = [] as Buffer[], pixels = height * (1 + width * 4) } = {},
) =>
  Buffer.concat([
    pngStart,
    header(width, height),
    ...more,
    chunk('IDAT', deflateSync(Buffer.alloc(pixels))),
    chunk('IEND', Buffer.alloc(0)),
  ]);

function webp(...chunks: [type: string, content: Buffer][]): Buffer {
  const body = Buffer.concat([
    Buffer.from('WEBP'),
    ...chunks.map(([type, content]) => {
      const framed = Buffer.alloc(8 + content.length + (content.length % 2));
      framed.write(type);
      framed.writeUInt32LE(content.length, 4);
      content.copy(framed, 8);
      return framed;
    }),
  ]);
  const riff = Buffer.alloc(8);
  riff.write('RIFF');
  riff.writeUInt32LE(body.length, 4);
  return Buffer.concat([riff, body]);
}

const lossless = (width: number, height: number) => {
  const content = Buffer.alloc(20);
  content[0] = 0x2f;
  content.writeUInt32LE((width - 1) | ((height - 1) << 14), 1);
  return content;
};

describe('a PNG logo', () => {
  test('a PNG logo is accepted with its size', () => {
    expect(readLogo(png(120, 40))).toMatchObject({ mediaType: 'image/png', width: 120, height: 40 });
  });

  test('a PNG logo loses its metadata and further frames', () => {
    const extra = [chunk('tEXt', Buffer.from('Author\0Amelia')), chunk('acTL', Buffer.alloc(8))];
    expect(readLogo(png(4, 4, { more: extra })).content).toEqual(png(4, 4));
  });

  test.each([
    ['something after its end', Buffer.concat([png(4, 4), Buffer.from('<script>')])],
    ['a wrong checksum', Buffer.from(png(4, 4)).fill(0, 29, 33)],
    ['a missing end', png(4, 4).subarray(0, -12)],
    ['fewer pixels than it says', png(40, 40, { pixels: 16 })],
    ['more pixels than it says', png(4, 4, { pixels: 1_000_000 })],
    ['an unknown part that is needed to show it', png(4, 4, { more: [chunk('EVIL', Buffer.alloc(1))] })],
    ['two headers', png(4, 4, { more: [header(4, 4)] })],
    ['no width', png(0, 4)],
    ['too many pixels', png(2_001, 1)],
  ])('a PNG logo is rejected with %s', (_what, file) => {
    expect(() => readLogo(file)).toThrow(DomainError);
  });
});

describe('a WebP logo', () => {
  test('a WebP logo is accepted with its size, without its metadata', () => {
    const flags = Buffer.alloc(10);
    flags[0] = 0b0011_1100;
    const file = webp(['VP8X', flags], ['VP8L', lossless(90, 30)], ['EXIF', Buffer.from('a place')]);
    const logo = readLogo(file);
    expect(logo).toMatchObject({ mediaType: 'image/webp', width: 90, height: 30 });
    const plain = Buffer.alloc(10);
    plain[0] = 0b0001_0000;
    expect(logo.content).toEqual(webp(['VP8X', plain], ['VP8L', lossless(90, 30)]));
  });

  test.each([
    ['an animation', webp(['ANIM', Buffer.alloc(6)], ['VP8L', lossless(4, 4)])],
    ['something after its end', Buffer.concat([webp(['VP8L', lossless(4, 4)]), Buffer.from('<script>')])],
    ['no picture', webp(['EXIF', Buffer.from('a place')])],
    ['too many pixels', webp(['VP8L', lossless(2_001, 4)])],
  ])('a WebP logo is rejected with %s', (_what, file) => {
    expect(() => readLogo(file)).toThrow(DomainError);
  });
});

test.each([
  ['SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')],
  ['HTML', Buffer.from('<!doctype html><script>alert(1)</script>')],
  ['JPEG', Buffer.from('\xff\xd8\xff\xe0', 'latin1')],
  ['an empty file', Buffer.alloc(0)],
  ['a file that is too large', Buffer.concat([pngStart, Buffer.alloc(maxLogoBytes)])],
])('a logo is not %s', (_what, file) => {
  expect(() => readLogo(file)).toThrow(DomainError);
});
