import type { PictureToPdf } from '../../features/documents/ports.ts';

/**
 * A JPEG or PNG on one page of A4, upright or across as the picture is, and as large as fits. The libraries are
 * large: they are loaded when there is a picture.
 */
export function createPictureToPdf(): PictureToPdf {
  return async (picture) => {
    if (picture.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff]))) {
      return (await import('./jpeg-to-pdf.ts')).jpegToPdf(picture);
    }
    if (picture.subarray(1, 4).toString('latin1') === 'PNG') {
      return (await import('./png-to-pdf.ts')).pngToPdf(picture);
    }
    throw new Error('the picture is neither JPEG nor PNG');
  };
}
