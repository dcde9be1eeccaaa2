import { useEffect, useState } from 'react';
import type { OpenPdf } from '../viewer/open-pdf.ts';
import { blocksOfPages, hasText, type ReadPage } from './read-pages.ts';
import type { TextBlock } from './text-blocks.ts';

export interface DocumentText {
  /** The blocks of each page. */
  pages: TextBlock[][];
  /** False for a scan. */
  hasText: boolean;
  language: string | null;
}

/** Reads the text of all pages of a PDF; undefined until it is known. */
export function useDocumentText(pdf: OpenPdf): DocumentText | undefined {
  const [text, setText] = useState<DocumentText>();
  useEffect(() => {
    const abort = new AbortController();
    const read = async () => {
      const pages: ReadPage[] = [];
      let language: string | null = null;
      for (const { number } of pdf.pages) {
        // A page whose text cannot be read is left empty; its image still has everything.
        const [content, structure] = await Promise.all([
          pdf.readText(number).catch(() => emptyText),
          pdf.readStructure(number).catch(() => null),
        ]);
        if (abort.signal.aborted) return;
        language ??= content.language;
        pages.push({ text: content, structure });
      }
      const blocks = blocksOfPages(pages);
      setText({ pages: blocks, hasText: hasText(blocks), language });
    };
    void read();
    return () => abort.abort();
  }, [pdf]);
  return text;
}

const emptyText = { pieces: [], pageHeight: 1, language: null };
