import type { PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';

/** What readers of a document see and hear, as far as it can differ between readers. */
export interface ShownDocument {
  hasXfa: boolean;
  isPortfolio: boolean;
  hasHiddenLayers: boolean;
  hasScripts: boolean;
  /** The text of each page, of the first ones only if a limit was given. */
  pages: string[];
  /** What lies above the pages: form fields, comments, links. */
  annotations: ShownAnnotation[];
}

/** The properties of an annotation that pdf.js returns. */
export interface ShownAnnotation {
  subtype: string;
  annotationFlags: number;
  rect: number[];
  hasAppearance: boolean;
  fieldType?: string | null;
  fieldValue?: string | string[] | null;
  exportValue?: string;
  checkBox?: boolean;
  radioButton?: boolean;
  textContent?: string[];
  contentsObj?: { str: string };
}

/**
 * Reads a PDF with the library that shows it to clients.
 * @param maxTextPages the number of pages whose text is read
 * @throws if it cannot be read
 */
export async function readAsShown(content: Buffer, maxTextPages: number): Promise<ShownDocument> {
  const getDocument = await loadPdfReader();
  // The library keeps the bytes, so it gets a copy.
  const task = getDocument({
    data: new Uint8Array(content),
    verbosity: 0,
    isEvalSupported: false,
    useWasm: false,
  });
  try {
    const pdf = await task.promise;
    const { info } = await pdf.getMetadata();
    const { IsXFAPresent, IsCollectionPresent } = info as Record<string, boolean>;
    const shown: ShownDocument = {
      hasXfa: IsXFAPresent === true,
      isPortfolio: IsCollectionPresent === true,
      hasHiddenLayers: await hasHiddenLayers(pdf),
      hasScripts: (await pdf.getJSActions()) !== null,
      pages: [],
      annotations: [],
    };
    for (let number = 1; number <= pdf.numPages; number += 1) {
      const page = await pdf.getPage(number);
      if (number <= maxTextPages) {
        const { items } = await page.getTextContent();
        shown.pages.push(items.map((item) => ('str' in item ? item.str : '')).join('\n'));
      }
      shown.annotations.push(...((await page.getAnnotations({ intent: 'any' })) as ShownAnnotation[]));
      shown.hasScripts ||= (await page.getJSActions()) !== null;
      page.cleanup();
    }
    return shown;
  } finally {
    await task.destroy();
  }
}

/** Whether any layer is invisible on the screen or on paper. */
async function hasHiddenLayers(pdf: PDFDocumentProxy): Promise<boolean> {
  for (const intent of ['display', 'print']) {
    for (const [, layer] of await pdf.getOptionalContentConfig({ intent })) {
      if (!(layer as { visible: boolean }).visible) return true;
    }
  }
  return false;
}

/**
 * Loads pdf.js without its functions for drawing. Where the platform lacks `JSON.rawJSON`, it replaces the functions of `JSON`
 * with slow ones.
 */
async function loadPdfReader() {
  const { stringify, parse } = JSON;
  const scope = globalThis as { DOMMatrix?: unknown };
  // Reading needs none, but the module makes one when it is loaded.
  scope.DOMMatrix ??= class {};
  const { getDocument } = await import('pdfjs-dist/legacy/build/pdf.mjs');
  // @ts-expect-error: without types. Otherwise it would be loaded from a separate file.
  await import('pdfjs-dist/legacy/build/pdf.worker.mjs');
  Object.assign(JSON, { stringify, parse });
  return getDocument;
}
