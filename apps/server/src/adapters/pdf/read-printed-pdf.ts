import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';

/** For tests: what a reader of the PDF finds. */
export interface PrintedPdf {
  /** The text of each page, in the order it is written; line ends as spaces. */
  pages: string[];
  /** The sizes of the pages in points. */
  sizes: { width: number; height: number }[];
  title: string;
  author: string;
  language: string | null;
  /** For each page: how often each kind of part stands in the structure that screen readers use. */
  parts: Record<string, number>[];
}

export async function readPrintedPdf(content: Buffer): Promise<PrintedPdf> {
  const task = getDocument({ data: new Uint8Array(content), verbosity: 0, password: '' });
  const pdf = await task.promise;
  try {
    const printed: PrintedPdf = { pages: [], sizes: [], title: '', author: '', language: null, parts: [] };
    const { info, metadata } = await pdf.getMetadata();
    const { Title = '', Author = '', Language = null } = info as Record<string, string | undefined>;
    Object.assign(printed, { title: metadata?.get('dc:title') ?? Title, author: Author, language: Language });
    for (let number = 1; number <= pdf.numPages; number += 1) {
      const page = await pdf.getPage(number);
      const { items } = await page.getTextContent();
      printed.pages.push(
        items
          .map((item) => ('str' in item ? `${item.str}${item.hasEOL ? ' ' : ''}` : ''))
          .join('')
          .replaceAll('\u{2060}', '')
          .replace(/\s+/gu, ' '),
      );
      const { width, height } = page.getViewport({ scale: 1 });
      printed.sizes.push({ width: Math.round(width), height: Math.round(height) });
      const parts: Record<string, number> = {};
      countParts(await page.getStructTree(), parts);
      printed.parts.push(parts);
    }
    return printed;
  } finally {
    await task.destroy();
  }
}

interface Part {
  role?: string;
  children?: unknown[];
}

function countParts(part: unknown, parts: Record<string, number>): void {
  const { role, children = [] } = (part ?? {}) as Part;
  if (role) parts[role] = (parts[role] ?? 0) + 1;
  for (const child of children) countParts(child, parts);
}
