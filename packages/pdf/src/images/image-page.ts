import { PageSizes, PDFDocument as PdfLibDocument } from '@cantoo/pdf-lib';
import PDFDocument from 'pdfkit';
import { UnsupportedDocumentError } from '../unsupported-document-error.ts';

export type ImageType = 'jpeg' | 'png' | 'webp';

/** Detects an image by its first bytes. @returns null for anything else */
export function detectImageType(bytes: Buffer): ImageType | null {
  if (bytes.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff]))) return 'jpeg';
  if (bytes.subarray(0, 8).equals(Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'))) return 'png';
  if (/^RIFF.{4}WEBP/s.test(bytes.subarray(0, 12).toString('latin1'))) return 'webp';
  return null;
}

/**
 * Creates a PDF with one A4 page that the image fills, in portrait or landscape like the image.
 *
 * @throws UnsupportedDocumentError if the image cannot be read
 */
export async function createImagePage(bytes: Buffer, type: 'jpeg' | 'png', title: string): Promise<Buffer> {
  try {
    return type === 'jpeg' ? await createJpegPage(bytes, title) : await createPngPage(bytes);
  } catch (error) {
    throw new UnsupportedDocumentError(
      `the image cannot be read, because it is damaged, too large or not a ${type.toUpperCase()}: save it as a PDF and use that`,
      { cause: error },
    );
  }
}

/** Points. */
const margin = 24;

/** Uses pdfkit, which applies the EXIF orientation of photographs. */
function createJpegPage(bytes: Buffer, title: string): Promise<Buffer> {
  return new Promise((done, fail) => {
    const pdf = new PDFDocument({ autoFirstPage: false, font: '', lang: 'en-GB', info: fixedInfo });
    const chunks: Buffer[] = [];
    pdf.on('data', (chunk: Buffer) => chunks.push(chunk));
    pdf.on('error', fail);
    pdf.on('end', () => done(Buffer.concat(chunks)));
    const { width, height, orientation } = (pdf as unknown as OpensJpeg).openImage(bytes);
    if (!(width > 0 && height > 0)) throw new Error(`invalid image size: ${width} × ${height}`);
    const isLandscape = orientation >= 5 ? height > width : width > height;
    pdf.addPage({ size: 'A4', layout: isLandscape ? 'landscape' : 'portrait', margin: 0 });
    pdf.info.Title = title.toWellFormed();
    pdf.image(bytes, margin, margin, {
      fit: [pdf.page.width - 2 * margin, pdf.page.height - 2 * margin],
      align: 'center',
      valign: 'center',
    });
    pdf.end();
  });
}

interface OpensJpeg {
  /** @returns the EXIF orientation: from 5 on, width and height are swapped */
  openImage(bytes: Buffer): { width: number; height: number; orientation: number };
}

const fixedInfo = { CreationDate: new Date(0), Creator: 'Keyturn', Producer: 'Keyturn' };

/** Uses pdf-lib, because pdfkit throws errors in a PNG within a callback, where they cannot be caught. */
async function createPngPage(bytes: Buffer): Promise<Buffer> {
  const width = bytes.readUInt32BE(16);
  const height = bytes.readUInt32BE(20);
  if (width === 0 || height === 0 || width * height > maxPixels) {
    throw new Error(`invalid image size: ${width} × ${height}`);
  }
  const pdf = await PdfLibDocument.create({ updateMetadata: false });
  const image = await pdf.embedPng(bytes);
  const [short, long] = PageSizes.A4;
  const page = pdf.addPage(width > height ? [long, short] : [short, long]);
  const scale = Math.min((page.getWidth() - 2 * margin) / width, (page.getHeight() - 2 * margin) / height);
  page.drawImage(image, {
    x: (page.getWidth() - width * scale) / 2,
    y: (page.getHeight() - height * scale) / 2,
    width: width * scale,
    height: height * scale,
  });
  return Buffer.from(await pdf.save());
}

/** Enough for a scan of A4 at 600 dpi. */
const maxPixels = 50_000_000;
