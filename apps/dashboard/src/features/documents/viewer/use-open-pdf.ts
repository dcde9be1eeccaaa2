import { useEffect, useRef, useState } from 'react';
import type { OpenPdf } from './open-pdf.ts';

export interface PdfOpening {
  pdf: OpenPdf | undefined;
  /** Whether `pdf` is the previous file, still shown while the new one opens. */
  isPrevious: boolean;
  error: unknown;
  retry(): void;
}

/**
 * Opens a PDF, loading pdf.js on demand, and closes it on unmount. While a new file opens, the previous one stays
 * available.
 */
export function useOpenPdf(file: Blob): PdfOpening {
  const [attempt, setAttempt] = useState(0);
  const [outcome, setOutcome] = useState<{ attempt?: number; file?: Blob; pdf?: OpenPdf; error?: unknown }>(
    {},
  );
  const current = useRef<OpenPdf>(undefined);

  useEffect(() => {
    let isCancelled = false;
    const open = async () => {
      try {
        const { openPdf } = await loadPdfViewer();
        if (isCancelled) return;
        const pdf = await openPdf(file);
        if (isCancelled) return pdf.close();
        current.current?.close();
        current.current = pdf;
        setOutcome({ attempt, file, pdf });
      } catch (error) {
        if (!isCancelled) setOutcome({ attempt, error });
      }
    };
    void open();
    return () => {
      isCancelled = true;
    };
  }, [file, attempt]);
  useEffect(
    () => () => {
      current.current?.close();
      current.current = undefined;
    },
    [],
  );

  return {
    pdf: outcome.pdf,
    isPrevious: outcome.file !== file,
    // A retry clears the error of the attempt before it.
    error: outcome.attempt === attempt ? outcome.error : undefined,
    retry: () => setAttempt((count) => count + 1),
  };
}

/**
 * Loads pdf.js. In a browser without `JSON.rawJSON` it replaces the functions of `JSON` with ones that read each character by
 * themselves, and the whole page would be slower until it is loaded again.
 */
async function loadPdfViewer(): Promise<typeof import('./open-pdf.ts')> {
  const { stringify, parse } = JSON;
  const loaded = await import('./open-pdf.ts');
  Object.assign(JSON, { stringify, parse });
  return loaded;
}
