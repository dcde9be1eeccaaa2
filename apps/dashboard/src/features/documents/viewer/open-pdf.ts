import {
  getDocument,
  InvalidPDFException,
  type PDFPageProxy,
  PDFWorker,
  RenderingCancelledException,
  TextLayer,
  version,
} from 'pdfjs-dist/legacy/build/pdf.mjs';
// The legacy build supports browsers of the last few years; the modern build only those of the last few months.
import workerUrl from 'pdfjs-dist/legacy/build/pdf.worker.min.mjs?url';
import { ownScriptUrl } from '../../../api/services/trusted-types.ts';

/** The size of a page in CSS pixels at 100%. */
export interface PageSize {
  width: number;
  height: number;
}

/** The size of a page and its number, which starts at 1. */
export interface NumberedPage extends PageSize {
  number: number;
}

/** The text of a page in pieces, in the order of its text layer. */
export type PageText = Awaited<ReturnType<PDFPageProxy['getTextContent']>>;

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
    return createOpenPdf(proxies, close);
  } catch (error) {
    close();
    if (error instanceof Error && error.name === 'PasswordException') throw new UnreadablePdf('password');
    if (error instanceof InvalidPDFException || !(error instanceof WorkerFailed)) {
      throw new UnreadablePdf('broken');
    }
    throw error;
  }
}

function createOpenPdf(proxies: PDFPageProxy[], close: () => void): OpenPdf {
  const texts = new Map<number, Promise<PageText>>();
  const pageOf = (page: number) => {
    const proxy = proxies[page - 1];
    if (!proxy) throw new RangeError(`page ${page} does not exist`);
    return proxy;
  };
  const readText = (page: number) => {
    const text = texts.get(page) ?? pageOf(page).getTextContent();
    texts.set(page, text);
    return text;
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
    readText,
    renderText: async (page, container) => {
      const layer = new TextLayer({
        textContentSource: await readText(page),
        container,
        viewport: pageOf(page).getViewport({ scale: pixelsPerPoint }),
      });
      await layer.render();
      return layer.textDivs;
    },
    close,
  };
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
