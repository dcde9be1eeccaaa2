import PDFDocument from 'pdfkit';
import { pageMargin } from './page-margin.ts';

/** The JPEG goes in as it is; pdfkit turns it the way the camera was held. */
export async function jpegToPdf(picture: Buffer): Promise<Buffer> {
  const pdf = new PDFDocument({ autoFirstPage: false });
  const chunks: Buffer[] = [];
  const whole = new Promise<Buffer>((resolve, reject) => {
    pdf.on('data', (chunk: Buffer) => chunks.push(chunk));
    pdf.on('end', () => resolve(Buffer.concat(chunks)));
    pdf.on('error', reject);
  });
  const { width, height, orientation = 1 } = (pdf as typeof pdf & OpensPictures).openImage(picture);
  // From 5 on the camera was held sideways (EXIF 2.3, 4.6.4 A).
  const isAcross = orientation >= 5 ? height > width : width > height;
  pdf.addPage({ size: 'A4', layout: isAcross ? 'landscape' : 'portrait', margin: pageMargin });
  const fit: [number, number] = [pdf.page.width - 2 * pageMargin, pdf.page.height - 2 * pageMargin];
  pdf.image(picture, pageMargin, pageMargin, { fit, align: 'center', valign: 'center' });
  pdf.end();
  return whole;
}

/** In pdfkit's source (lib/mixins/images.js), and not in its types. */
interface OpensPictures {
  /** @returns `orientation` for a JPEG that says it */
  openImage(picture: Buffer): { width: number; height: number; orientation?: number };
}
