import { useEffect, useRef, useState } from 'react';
import type { OpenPdf } from './open-pdf.ts';

export interface PdfOpening {
  pdf: OpenPdf | undefined;
  /** The one before, while another file is being opened. */
  isFormer: boolean;
  error: unknown;
  retry(): void;
}

/**
 * Opens a PDF, with pdf.js loaded for it, and closes it when the screen is left. While another file is being opened,
 * the one before stays.
 */
export function useOpenPdf(file: Blob): PdfOpening {
  const [attempt, setAttempt] = useState(0);
  const [outcome, setOutcome] = useState<{ attempt?: number; file?: Blob; pdf?: OpenPdf; error?: unknown }>(
    {},
  );
  const current = useRef<OpenPdf>(undefined);

  useEffect(() => {
    let isLeft = false;
    const open = async () => {
      try {
        const { openPdf } = await import('./open-pdf.ts');
        if (isLeft) return;
        const pdf = await openPdf(file);
        if (isLeft) return pdf.close();
        current.current?.close();
        current.current = pdf;
        setOutcome({ attempt, file, pdf });
      } catch (error) {
        if (!isLeft) setOutcome({ attempt, error });
      }
    };
    void open();
    return () => {
      isLeft = true;
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
    isFormer: outcome.file !== file,
    // What went wrong in an attempt is over once another begins.
    error: outcome.attempt === attempt ? outcome.error : undefined,
    retry: () => setAttempt((before) => before + 1),
  };
}
