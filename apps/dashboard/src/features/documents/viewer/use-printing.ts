import { useEffect, useRef, useState } from 'react';
import type { OpenPdf } from './open-pdf.ts';
import { printImages } from './print-images.ts';

/** Prints all pages and reports the progress. */
export function usePrinting(pdf: OpenPdf) {
  const [done, setDone] = useState<number | null>(null);
  const abort = useRef<AbortController>(undefined);
  useEffect(() => () => abort.current?.abort(), []);
  const print = async () => {
    abort.current?.abort();
    const controller = new AbortController();
    abort.current = controller;
    setDone(0);
    try {
      await printImages(pdf.pages.length, (index) => renderForPrint(pdf, index + 1, controller.signal), {
        signal: controller.signal,
        onProgress: setDone,
      });
    } catch (error) {
      if (!controller.signal.aborted) throw error;
    } finally {
      setDone(null);
    }
  };
  const count = pdf.pages.length;
  return {
    printProgress: done === null ? null : `Page ${Math.min(done + 1, count)} of ${count}…`,
    print: () => void print(),
  };
}

/** Renders a page at 200 dots per inch. */
async function renderForPrint(pdf: OpenPdf, page: number, signal: AbortSignal): Promise<Blob> {
  const canvas = await pdf.renderPage(page, 200 / 96, signal);
  try {
    return await new Promise<Blob>((resolve, reject) => {
      canvas.toBlob((blob) =>
        blob ? resolve(blob) : reject(new Error(`page ${page} could not be rendered for printing`)),
      );
    });
  } finally {
    canvas.width = 0;
    canvas.height = 0;
  }
}
