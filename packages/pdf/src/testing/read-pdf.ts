/*
 * Where the platform lacks `JSON.rawJSON`, as Node.js 20 does, both parts of pdf.js replace the functions of `JSON` with ones
 * that read each character by themselves. All later tests of the process would use them: a message of 4 MB took half an hour.
 */
const { stringify, parse } = JSON;
const { getDocument } = await import('pdfjs-dist/legacy/build/pdf.mjs');
// @ts-expect-error: without types. It would be loaded with the first document otherwise.
await import('pdfjs-dist/legacy/build/pdf.worker.mjs');
Object.assign(JSON, { stringify, parse });

/** What a PDF reader finds in a document. */
export interface PdfContents {
  /** The text of each page in content order, with spaces for line breaks. */
  pages: string[];
  /** Page sizes in points. */
  sizes: { width: number; height: number }[];
  title: string;
  author: string;
  language: string | null;
  /** For each page, the number of structure elements of each type. */
  elements: Record<string, number>[];
}

/** Reads the text, metadata and structure of a PDF with pdf.js, for tests. */
export async function readPdf(content: Buffer): Promise<PdfContents> {
  const task = getDocument({ data: new Uint8Array(content), verbosity: 0, password: '' });
  const pdf = await task.promise;
  try {
    const contents: PdfContents = {
      pages: [],
      sizes: [],
      title: '',
      author: '',
      language: null,
      elements: [],
    };
    const { info, metadata } = await pdf.getMetadata();
    const { Title = '', Author = '', Language = null } = info as Record<string, string | undefined>;
    Object.assign(contents, {
      title: metadata?.get('dc:title') ?? Title,
      author: Author,
      language: Language,
    });
    for (let number = 1; number <= pdf.numPages; number += 1) {
      const page = await pdf.getPage(number);
      const { items } = await page.getTextContent();
      contents.pages.push(
        items
          .map((item) => ('str' in item ? `${item.str}${item.hasEOL ? ' ' : ''}` : ''))
          .join('')
          .replace(/\s+/gu, ' '),
      );
      const { width, height } = page.getViewport({ scale: 1 });
      contents.sizes.push({ width: Math.round(width), height: Math.round(height) });
      const elements: Record<string, number> = {};
      countElements(await page.getStructTree(), elements);
      contents.elements.push(elements);
    }
    return contents;
  } finally {
    await task.destroy();
  }
}

interface StructureNode {
  role?: string;
  children?: unknown[];
}

function countElements(node: unknown, elements: Record<string, number>): void {
  const { role, children = [] } = (node ?? {}) as StructureNode;
  if (role) elements[role] = (elements[role] ?? 0) + 1;
  for (const child of children) countElements(child, elements);
}
