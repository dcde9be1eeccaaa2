import { PDFDocument } from '@cantoo/pdf-lib';
import { expect, test } from 'vitest';
import { UnprintableDocument } from '../../features/documents/ports.ts';
import { pictureTypeOf, printPicture } from './print-picture.ts';

/** Three pixels wide, two high. */
const jpeg = Buffer.from(
  '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDABsSFBcUERsXFhceHBsgKEIrKCUlKFE6PTBCYFVlZF9VXVtqeJmBanGQc1tdhbWGkJ6jq62rZ4C8ybqmx5moq6T/2wBDARweHigjKE4rK06kbl1upKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKT/wAARCAACAAMDASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAT/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/8QAFQEBAQAAAAAAAAAAAAAAAAAABAb/xAAUEQEAAAAAAAAAAAAAAAAAAAAA/9oADAMBAAIRAxEAPwCAANSP/9k=',
  'base64',
);
/** Two pixels wide, one high. */
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAYAAAD0In+KAAAAC0lEQVR4nGNgQAcAABIAATqZvAUAAAAASUVORK5CYII=',
  'base64',
);

/** The JPEG as a camera that was held another way writes it: EXIF 2.3, 4.6.4 A, tag 274. */
function heldAs(orientation: number): Buffer {
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
  ['a JPEG', jpeg, 'across'],
  ['a PNG', png, 'across'],
  ['a JPEG that was held upside down', heldAs(3), 'across'],
  ['a JPEG that was held sideways', heldAs(6), 'upright'],
  ['a JPEG that was held the other side', heldAs(8), 'upright'],
])('%s becomes one page of A4 that lies as the picture does', async (_what, picture, lies) => {
  const type = picture === png ? 'png' : 'jpeg';
  expect(pictureTypeOf(picture)).toBe(type);
  const pdf = await PDFDocument.load(await printPicture(picture, type, 'A picture'));
  expect(pdf.getPageCount()).toBe(1);
  const { width, height } = pdf.getPage(0).getSize();
  expect(width > height ? 'across' : 'upright').toBe(lies);
  expect(Math.round(Math.max(width, height))).toBe(842);
});

test.each([
  ['a PNG cut short', png.subarray(0, 40)],
  ['a PNG of nothing but its name', png.subarray(0, 8)],
  [
    'a PNG that unpacks to nonsense',
    Buffer.concat([png.subarray(0, 41), Buffer.alloc(11, 0xaa), png.subarray(52)]),
  ],
  [
    'a PNG that says it is a hundred thousand pixels wide and high',
    Buffer.concat([png.subarray(0, 16), Buffer.from([0, 1, 0x86, 0xa0, 0, 1, 0x86, 0xa0]), png.subarray(24)]),
  ],
  ['a JPEG cut short', jpeg.subarray(0, 60)],
])('%s is refused, and nothing hangs', async (_what, picture) => {
  const type = picture.subarray(1, 4).equals(Buffer.from('PNG')) ? 'png' : 'jpeg';
  await expect(printPicture(picture, type, 'A picture')).rejects.toThrow(UnprintableDocument);
});

test.each([
  ['text', Buffer.from('only text'), null],
  ['nothing', Buffer.alloc(0), null],
  ['a WebP', Buffer.from('RIFF\x24\0\0\0WEBPVP8 ', 'latin1'), 'webp'],
])('%s is told by its first bytes', (_what, bytes, type) => {
  expect(pictureTypeOf(bytes)).toBe(type);
});
