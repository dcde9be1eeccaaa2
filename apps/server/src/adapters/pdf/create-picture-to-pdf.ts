import PDFDocument from 'pdfkit';
import type { PictureToPdf } from '../../features/documents/ports.ts';

/** Points: 20 mm. */
const margin = 56.7;

/** A JPEG or PNG on one page of A4, upright or across as the picture is, and as large as fits. */
export function createPictureToPdf(): PictureToPdf {
  return async (picture) => {
    const pdf = new PDFDocument({ autoFirstPage: false });
    const chunks: Buffer[] = [];
    const whole = new Promise<Buffer>((resolve, reject) => {
      pdf.on('data', (chunk: Buffer) => chunks.push(chunk));
      pdf.on('end', () => resolve(Buffer.concat(chunks)));
      pdf.on('error', reject);
    });
    const { width, height, orientation = 1 } = (pdf as typeof pdf & OpensPictures).openImage(picture);
    // From 5 on a camera was held sideways (EXIF 2.3, 4.6.4 A).
    const isAcross = orientation >= 5 ? height > width : width > height;
    pdf.addPage({ size: 'A4', layout: isAcross ? 'landscape' : 'portrait', margin });
    const fit = [pdf.page.width - 2 * margin, pdf.page.height - 2 * margin] as [number, number];
    pdf.image(picture, margin, margin, { fit, align: 'center', valign: 'center' });
    pdf.end();
    return whole;
  };
}

/** Documented in pdfkit's guide, "Images", and not in its types. */
interface OpensPictures {
  /** @returns `orientation` for a JPEG that says it */
  openImage(picture: Buffer): { width: number; height: number; orientation?: number };
}
