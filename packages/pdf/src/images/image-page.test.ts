import { PDFDocument } from '@cantoo/pdf-lib';
import { expect, test } from 'vitest';
import { UnsupportedDocumentError } from '../unsupported-document-error.ts';
import { createImagePage, detectImageType } from './image-page.ts';

/** 3 × 2 pixels. */
const jpeg = Buffer.from(
  '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDABsSFBcUERsXFhceHBsgKEIrKCUlKFE6PTBCYFVlZF9VXVtqeJmBanGQc1tdhbWGkJ6jq62rZ4C8ybqmx5moq6T/2wBDARweHigjKE4rK06kbl1upKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKT/wAARCAACAAMDASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAT/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/8QAFQEBAQAAAAAAAAAAAAAAAAAABAb/xAAUEQEAAAAAAAAAAAAAAAAAAAAA/9oADAMBAAIRAxEAPwCAANSP/9k=',
  'base64',
);
/** 2 × 1 pixels. */
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAYAAAD0In+KAAAAC0lEQVR4nGNgQAcAABIAATqZvAUAAAAASUVORK5CYII=',
  'base64',
);

/** Adds an EXIF orientation to the JPEG: EXIF 2.3, 4.6.4 A, tag 274. */
function withOrientation(orientation: number): Buffer {
  const exif = [0x45, 0x78, 0x69, 0x66, 0, 0];
  const tiff = [0x4d, 0x4d, 0, 0x2a, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0];
  const segment = Buffer.from([
    0xff,
    0xe1,
    0,
    2 + exif.length + tiff.length + 4,
    ...exif,
    ...tiff,
    0,
    0,
    0,
    0,
  ]);
  return Buffer.concat([jpeg.subarray(0, 2), segment, jpeg.subarray(2)]);
}

test.each([
  ['a JPEG', jpeg, 'landscape'],
  ['a PNG', png, 'landscape'],
  ['a JPEG rotated by 180°', withOrientation(3), 'landscape'],
  ['a JPEG rotated by 90°', withOrientation(6), 'portrait'],
  ['a JPEG rotated by 270°', withOrientation(8), 'portrait'],
])(
  'converts %s to one A4 page with the orientation of the image',
  async (_description, picture, orientation) => {
    const type = picture === png ? 'png' : 'jpeg';
    expect(detectImageType(picture)).toBe(type);
    const pdf = await PDFDocument.load(await createImagePage(picture, type, 'A picture'));
    expect(pdf.getPageCount()).toBe(1);
    const { width, height } = pdf.getPage(0).getSize();
    expect(width > height ? 'landscape' : 'portrait').toBe(orientation);
    expect(Math.round(Math.max(width, height))).toBe(842);
  },
);

test.each([
  ['a truncated PNG', png.subarray(0, 40)],
  ['a PNG with only its signature', png.subarray(0, 8)],
  ['a PNG with corrupt data', Buffer.concat([png.subarray(0, 41), Buffer.alloc(11, 0xaa), png.subarray(52)])],
  [
    'a PNG that claims 100,000 × 100,000 pixels',
    Buffer.concat([png.subarray(0, 16), Buffer.from([0, 1, 0x86, 0xa0, 0, 1, 0x86, 0xa0]), png.subarray(24)]),
  ],
  ['a truncated JPEG', jpeg.subarray(0, 60)],
])('rejects %s without hanging', async (_description, picture) => {
  const type = picture.subarray(1, 4).equals(Buffer.from('PNG')) ? 'png' : 'jpeg';
  await expect(createImagePage(picture, type, 'A picture')).rejects.toThrow(UnsupportedDocumentError);
});

test.each([
  ['text', Buffer.from('only text'), null],
  ['an empty file', Buffer.alloc(0), null],
  ['a WebP', Buffer.from('RIFF\x24\0\0\0WEBPVP8 ', 'latin1'), 'webp'],
])('detects the image type of %s by its first bytes', (_description, bytes, type) => {
  expect(detectImageType(bytes)).toBe(type);
});
