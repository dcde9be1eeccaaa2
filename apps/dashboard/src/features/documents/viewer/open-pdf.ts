import {
  getDocument,
  InvalidPDFException,
  OPS,
  type PDFPageProxy,
  PDFWorker,
  RenderingCancelledException,
  TextLayer,
  version,
} from 'pdfjs-dist/legacy/build/pdf.mjs';
// The legacy build supports browsers of the last few years; the modern build only those of the last few months.
import workerUrl from 'pdfjs-dist/legacy/build/pdf.worker.min.mjs?url';
import { ownScriptUrl } from '../../../api/services/trusted-types.ts';
import { type Layers, readShownContent, type TextContent } from '../text/shown-content.ts';
import type { StructureNode } from '../text/tagged-blocks.ts';
import type { PlacedPiece, PlacedText } from '../text/text-blocks.ts';

/** The size of a page in CSS pixels at 100%. */
export interface PageSize {
  width: number;
  height: number;
}

/** The size of a page and its number, which starts at 1. */
export interface NumberedPage extends PageSize {
  number: number;
}

/** The text of a page as it is shown, in pieces, in the order of its text layer. */
export interface PageText extends PlacedText {
  pieces: PlacedPiece[];
  /** A language tag such as `en-GB`; null when the PDF has none. */
  language: string | null;
}

/** An opened PDF. Page numbers start at 1. */
export interface OpenPdf {
  pages: NumberedPage[];
  /**
   * Renders a page to a canvas, with `scale` device pixels per CSS pixel.
   * @throws the signal’s reason when aborted
   */
  renderPage(page: number, scale: number, signal: AbortSignal): Promise<HTMLCanvasElement>;
  /** Returns the text of a page; it is read once and cached. */
  readText(page: number): Promise<PageText>;
  /** Returns the structure tree of a page; null when the PDF has none. */
  readStructure(page: number): Promise<StructureNode | null>;
  /**
   * Fills an element with the text layer of a page, which the CSS variable `--total-scale-factor` scales.
   * @returns the element of each piece of text
   */
  renderText(page: number, container: HTMLElement): Promise<HTMLElement[]>;
  /** Stops the worker and frees its memory. */
  close(): void;
}

/** The PDF needs a password or is damaged. */
export class UnreadablePdf extends Error {
  override readonly name = 'UnreadablePdf';
  readonly reason: 'password' | 'broken';

  constructor(reason: 'password' | 'broken') {
    super(reason);
    this.reason = reason;
  }
}

/**
 * Opens a PDF with pdf.js in a dedicated worker. Scripts inside the PDF and WebAssembly are disabled.
 * @throws UnreadablePdf when the file needs a password or is not a readable PDF
 */
export async function openPdf(file: Blob): Promise<OpenPdf> {
  const data = new Uint8Array(await file.arrayBuffer());
  const port = new Worker(import.meta.env.DEV ? workerUrl : ownScriptUrl(workerUrl), { type: 'module' });
  const worker = PDFWorker.create({ port, verbosity: errorsOnly });
  const assets = new URL(`/assets/pdfjs-${version}/`, location.origin).href;
  const task = getDocument({
    data,
    worker,
    verbosity: errorsOnly,
    isEvalSupported: false,
    useWasm: false,
    enableXfa: false,
    useSystemFonts: false,
    useWorkerFetch: true,
    cMapUrl: `${assets}cmaps/`,
    standardFontDataUrl: `${assets}standard_fonts/`,
    wasmUrl: `${assets}wasm/`,
  });
  const close = () => {
    void task.destroy().finally(() => {
      worker.destroy();
      port.terminate();
    });
  };
  try {
    const opened = await Promise.race([task.promise, workerFailure(port)]);
    const proxies = await Promise.all(
      Array.from({ length: opened.numPages }, (_, index) => opened.getPage(index + 1)),
    );
    return createOpenPdf(proxies, await opened.getOptionalContentConfig({ intent: 'display' }), close);
  } catch (error) {
    close();
    if (error instanceof Error && error.name === 'PasswordException') throw new UnreadablePdf('password');
    if (error instanceof InvalidPDFException || !(error instanceof WorkerFailed)) {
      throw new UnreadablePdf('broken');
    }
    throw error;
  }
}

function createOpenPdf(proxies: PDFPageProxy[], layers: Layers, close: () => void): OpenPdf {
  const contents = new Map<number, Promise<TextContent>>();
  const pageOf = (page: number) => {
    const proxy = proxies[page - 1];
    if (!proxy) throw new RangeError(`page ${page} does not exist`);
    return proxy;
  };
  const readContent = (page: number) => {
    const content = contents.get(page) ?? readShownContent(pageOf(page), layers, OPS);
    contents.set(page, content);
    return content;
  };
  return {
    pages: proxies.map((proxy) => {
      const { width, height } = proxy.getViewport({ scale: pixelsPerPoint });
      return { number: proxy.pageNumber, width, height };
    }),
    renderPage: async (page, scale, signal) => {
      const proxy = pageOf(page);
      const viewport = proxy.getViewport({ scale: pixelsPerPoint * scale });
      const canvas = document.createElement('canvas');
      canvas.width = Math.max(1, Math.floor(viewport.width));
      canvas.height = Math.max(1, Math.floor(viewport.height));
      const task = proxy.render({ canvas, viewport });
      const cancel = () => task.cancel();
      signal.addEventListener('abort', cancel);
      try {
        signal.throwIfAborted();
        await task.promise;
        return canvas;
      } catch (error) {
        if (error instanceof RenderingCancelledException) signal.throwIfAborted();
        throw error;
      } finally {
        signal.removeEventListener('abort', cancel);
      }
    },
    readText: async (page) => toPageText(await readContent(page), pageOf(page)),
    readStructure: (page) => pageOf(page).getStructTree() as Promise<StructureNode | null>,
    renderText: async (page, container) => {
      const content = await readContent(page);
      const layer = new TextLayer({
        textContentSource: { ...content, items: content.items.filter((item) => 'str' in item) },
        container,
        viewport: pageOf(page).getViewport({ scale: pixelsPerPoint }),
      });
      await layer.render();
      return layer.textDivs;
    },
    close,
  };
}

function toPageText({ items, lang }: TextContent, proxy: PDFPageProxy): PageText {
  const [left = 0, bottom = 0, , top = 0] = proxy.view;
  const pieces: PlacedPiece[] = [];
  const marks: (string | null)[] = [];
  for (const item of items) {
    if ('str' in item) {
      const [a = 0, b = 0, c = 0, d = 0, x = 0, y = 0] = item.transform as number[];
      const { str, hasEOL, width } = item;
      const height = Math.hypot(c, d) || Math.hypot(a, b);
      const mark = marks.at(-1) ?? null;
      pieces.push({ str, hasEOL, x: x - left, y: y - bottom, width, height, mark });
    } else if (item.type === 'endMarkedContent') {
      marks.pop();
    } else {
      // Content inside other marked content belongs to the same part of the page.
      const { tag, id } = item as { tag?: string | null; id?: string | null };
      marks.push(tag === 'Artifact' ? 'artifact' : (id ?? marks.at(-1) ?? null));
    }
  }
  return { pieces, pageHeight: top - bottom, language: lang };
}

/** CSS pixels per PDF point: 96 pixels and 72 points make an inch. */
const pixelsPerPoint = 96 / 72;

const errorsOnly = 0;

class WorkerFailed extends Error {
  override readonly name = 'WorkerFailed';
}

/** Rejects when the worker’s script fails to load or start; pdf.js itself would wait for it for ever. */
const workerFailure = (port: Worker) =>
  new Promise<never>((_, reject) => {
    port.addEventListener('error', () => reject(new WorkerFailed('the pdf.js worker failed to load')), {
      once: true,
    });
  });
