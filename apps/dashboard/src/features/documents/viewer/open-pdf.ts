import {
  getDocument,
  InvalidPDFException,
  type PDFPageProxy,
  PDFWorker,
  RenderingCancelledException,
  TextLayer,
  version,
} from 'pdfjs-dist/legacy/build/pdf.mjs';
// The build with what browsers of the last few years lack; the plain one asks for those of the last few months.
import workerUrl from 'pdfjs-dist/legacy/build/pdf.worker.min.mjs?url';
import { ownScriptUrl } from '../../../api/services/trusted-types.ts';

/** CSS pixels at 100 %. */
export interface PageSize {
  width: number;
  height: number;
}

/** A page of an opened PDF; counted from 1. */
export interface NumberedPage extends PageSize {
  number: number;
}

/** The text of a page in pieces, as they stand in its text layer. */
export type PageText = Awaited<ReturnType<PDFPageProxy['getTextContent']>>;

/** An opened PDF. Pages are counted from 1. */
export interface OpenPdf {
  pages: NumberedPage[];
  /** A picture of a page: `scale` device pixels for a CSS pixel. Rejects with the signal's reason when aborted. */
  draw(page: number, scale: number, signal: AbortSignal): Promise<HTMLCanvasElement>;
  /** Read once and kept. */
  textOf(page: number): Promise<PageText>;
  /**
   * Fills an element with a page's text in place over its picture, and gives the element of each piece. The layer is
   * sized by `--total-scale-factor`.
   */
  layText(page: number, container: HTMLElement): Promise<HTMLElement[]>;
  /** Ends the worker and frees all that it holds. */
  close(): void;
}

/** Why a PDF cannot be shown. */
export class UnreadablePdf extends Error {
  override readonly name = 'UnreadablePdf';
  readonly reason: 'password' | 'broken';

  constructor(reason: 'password' | 'broken') {
    super(reason);
    this.reason = reason;
  }
}

/**
 * Opens a PDF with pdf.js in a worker of its own. Nothing in it is run, neither its scripts nor WebAssembly.
 * @throws UnreadablePdf when it asks for a password or is no PDF that can be read
 */
export async function openPdf(file: Blob): Promise<OpenPdf> {
  const data = new Uint8Array(await file.arrayBuffer());
  const port = new Worker(import.meta.env.DEV ? workerUrl : ownScriptUrl(workerUrl), { type: 'module' });
  const worker = PDFWorker.create({ port, verbosity: errorsOnly });
  const files = new URL(`/assets/pdfjs-${version}/`, location.origin).href;
  const task = getDocument({
    data,
    worker,
    verbosity: errorsOnly,
    isEvalSupported: false,
    useWasm: false,
    enableXfa: false,
    useSystemFonts: false,
    useWorkerFetch: true,
    cMapUrl: `${files}cmaps/`,
    standardFontDataUrl: `${files}standard_fonts/`,
    wasmUrl: `${files}wasm/`,
  });
  const close = () => {
    void task.destroy().finally(() => {
      worker.destroy();
      port.terminate();
    });
  };
  try {
    const opened = await Promise.race([task.promise, failureOf(port)]);
    const proxies = await Promise.all(
      Array.from({ length: opened.numPages }, (_, index) => opened.getPage(index + 1)),
    );
    return openedPdf(proxies, close);
  } catch (error) {
    close();
    if (error instanceof Error && error.name === 'PasswordException') throw new UnreadablePdf('password');
    if (error instanceof InvalidPDFException || !(error instanceof WorkerFailed)) {
      throw new UnreadablePdf('broken');
    }
    throw error;
  }
}

function openedPdf(proxies: PDFPageProxy[], close: () => void): OpenPdf {
  const texts = new Map<number, Promise<PageText>>();
  const pageOf = (page: number) => {
    const proxy = proxies[page - 1];
    if (!proxy) throw new RangeError(`there is no page ${page}`);
    return proxy;
  };
  const textOf = (page: number) => {
    const text = texts.get(page) ?? pageOf(page).getTextContent();
    texts.set(page, text);
    return text;
  };
  return {
    pages: proxies.map((proxy) => {
      const { width, height } = proxy.getViewport({ scale: cssPixels });
      return { number: proxy.pageNumber, width, height };
    }),
    draw: async (page, scale, signal) => {
      const proxy = pageOf(page);
      const viewport = proxy.getViewport({ scale: cssPixels * scale });
      const canvas = document.createElement('canvas');
      canvas.width = Math.max(1, Math.floor(viewport.width));
      canvas.height = Math.max(1, Math.floor(viewport.height));
      const task = proxy.render({ canvas, viewport });
      const stop = () => task.cancel();
      signal.addEventListener('abort', stop);
      try {
        signal.throwIfAborted();
        await task.promise;
        return canvas;
      } catch (error) {
        if (error instanceof RenderingCancelledException) signal.throwIfAborted();
        throw error;
      } finally {
        signal.removeEventListener('abort', stop);
      }
    },
    textOf,
    layText: async (page, container) => {
      const layer = new TextLayer({
        textContentSource: await textOf(page),
        container,
        viewport: pageOf(page).getViewport({ scale: cssPixels }),
      });
      await layer.render();
      return layer.textDivs;
    },
    close,
  };
}

/** A PDF is measured in points, 72 to the inch. */
const cssPixels = 96 / 72;

const errorsOnly = 0;

class WorkerFailed extends Error {
  override readonly name = 'WorkerFailed';
}

/** The worker's script did not arrive, or would not start: pdf.js would wait for it for ever. */
const failureOf = (port: Worker) =>
  new Promise<never>((_, reject) => {
    port.addEventListener('error', () => reject(new WorkerFailed('the viewer could not be loaded')), {
      once: true,
    });
  });
