import { PageSizes, PDFDocument } from '@cantoo/pdf-lib';
import { pageMargin } from './page-margin.ts';

/** Pixels, unpacked at four bytes each: A4 at 600 dpi has 35 million. */
const largest = 40_000_000;

/**
 * pdf-lib unpacks a PNG here and now. pdfkit would do so behind our back, and a broken one would end the process.
 * @throws Error for one that is broken, or too large to unpack
 */
export async function pngToPdf(picture: Buffer): Promise<Buffer> {
  // PNG, 11.2.1: width and height come first of all.
  if (picture.length < 24 || picture.readUInt32BE(16) * picture.readUInt32BE(20) > largest) {
    throw new Error('the picture is cut short or has too many pixels');
  }
  const pdf = await PDFDocument.create();
  const image = await pdf.embedPng(picture);
  const [shorter, longer] = PageSizes.A4;
  const size: [number, number] = image.width > image.height ? [longer, shorter] : [shorter, longer];
  const fitted = image.scaleToFit(size[0] - 2 * pageMargin, size[1] - 2 * pageMargin);
  pdf.addPage(size).drawImage(image, {
    ...fitted,
    x: (size[0] - fitted.width) / 2,
    y: (size[1] - fitted.height) / 2,
  });
  return Buffer.from(await pdf.save());
}
