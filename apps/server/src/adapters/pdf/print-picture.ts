import { PageSizes, PDFDocument as PdfLibDocument } from '@cantoo/pdf-lib';
import PDFDocument from 'pdfkit';
import { UnprintableDocument } from '../../features/documents/ports.ts';

export type PictureType = 'jpeg' | 'png' | 'webp';

/** Told by the first bytes; null for none of them. */
export function pictureTypeOf(bytes: Buffer): PictureType | null {
  if (bytes.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff]))) return 'jpeg';
  if (bytes.subarray(0, 8).equals(Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'))) return 'png';
  if (/^RIFF.{4}WEBP/s.test(bytes.subarray(0, 12).toString('latin1'))) return 'webp';
  return null;
}

/**
 * A PDF of one A4 page that the picture fills, turned as the picture is.
 * @throws UnprintableDocument when it cannot be read
 */
export async function printPicture(bytes: Buffer, type: 'jpeg' | 'png', title: string): Promise<Buffer> {
  try {
    return type === 'jpeg' ? await printJpeg(bytes, title) : await printPng(bytes);
  } catch (error) {
    throw new UnprintableDocument(
      `the picture cannot be read: it is damaged, too large, or no ${type.toUpperCase()}`,
      { cause: error },
    );
  }
}

/** Points. */
const edge = 24;

/** By pdfkit, which turns a photograph upright as its camera says. */
function printJpeg(bytes: Buffer, title: string): Promise<Buffer> {
  return new Promise((done, fail) => {
    const pdf = new PDFDocument({ autoFirstPage: false, font: '', lang: 'en-GB', info: fixedInfo });
    const chunks: Buffer[] = [];
    pdf.on('data', (chunk: Buffer) => chunks.push(chunk));
    pdf.on('error', fail);
    pdf.on('end', () => done(Buffer.concat(chunks)));
    const { width, height, orientation } = (pdf as unknown as OpensJpeg).openImage(bytes);
    if (!(width > 0 && height > 0)) throw new Error(`a picture of ${width} by ${height}`);
    const lies = orientation >= 5 ? height > width : width > height;
    pdf.addPage({ size: 'A4', layout: lies ? 'landscape' : 'portrait', margin: 0 });
    pdf.info.Title = title.toWellFormed();
    pdf.image(bytes, edge, edge, {
      fit: [pdf.page.width - 2 * edge, pdf.page.height - 2 * edge],
      align: 'center',
      valign: 'center',
    });
    pdf.end();
  });
}

interface OpensJpeg {
  /** @returns `orientation` as in EXIF: from 5 on the picture stands on its side */
  openImage(bytes: Buffer): { width: number; height: number; orientation: number };
}

const fixedInfo = { CreationDate: new Date(0), Creator: 'Keyturn', Producer: 'Keyturn' };

/** By pdf-lib: pdfkit would meet a fault inside the file in a callback, out of reach. */
async function printPng(bytes: Buffer): Promise<Buffer> {
  const width = bytes.readUInt32BE(16);
  const height = bytes.readUInt32BE(20);
  if (width === 0 || height === 0 || width * height > largest) {
    throw new Error(`a picture of ${width} by ${height}`);
  }
  const pdf = await PdfLibDocument.create({ updateMetadata: false });
  const image = await pdf.embedPng(bytes);
  const [short, long] = PageSizes.A4;
  const page = pdf.addPage(width > height ? [long, short] : [short, long]);
  const scale = Math.min((page.getWidth() - 2 * edge) / width, (page.getHeight() - 2 * edge) / height);
  page.drawImage(image, {
    x: (page.getWidth() - width * scale) / 2,
    y: (page.getHeight() - height * scale) / 2,
    width: width * scale,
    height: height * scale,
  });
  return Buffer.from(await pdf.save());
}

/** Pixels: as a scan of A4 at 600 dots an inch has, and some more. */
const largest = 50_000_000;
