import type { PictureToPdf } from '../../features/documents/ports.ts';
import { jpegToPdf } from './jpeg-to-pdf.ts';
import { pngToPdf } from './png-to-pdf.ts';

/** A JPEG or PNG on one page of A4, upright or across as the picture is, and as large as fits. */
export function createPictureToPdf(): PictureToPdf {
  return async (picture) => {
    if (picture.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff]))) return jpegToPdf(picture);
    if (picture.subarray(1, 4).toString('latin1') === 'PNG') return pngToPdf(picture);
    throw new Error('the picture is neither JPEG nor PNG');
  };
}
