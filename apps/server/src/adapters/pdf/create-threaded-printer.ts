import { Worker } from 'node:worker_threads';
import { type SignaturePrinter, UnprintableDocument } from '../../features/documents/ports.ts';
import { createSerialQueue } from '../../platform/serial-queue.ts';
import type { PrintAnswer, PrintTask } from './signature-worker.ts';

export interface ThreadLimits {
  /** Milliseconds for one document, including the start of the thread. */
  time: number;
  /** Heap limit in megabytes. */
  memory: number;
  /** Milliseconds without work after which the thread ends. */
  idle: number;
}

/**
 * Creates a printer that works in a separate thread, one document at a time, because a document with very many objects
 * can need many seconds and over a gigabyte. A document that exceeds the limits terminates the thread and is rejected
 * as unprintable; the next one gets a new thread.
 *
 * @param script the built `signature-worker.ts`
 */
export function createThreadedPrinter(script: URL, limits: ThreadLimits = defaultLimits): SignaturePrinter {
  const enqueue = createSerialQueue();
  let idleWorker: Worker | undefined;
  let idleTimer: NodeJS.Timeout | undefined;

  const release = (worker: Worker) => {
    idleWorker = worker;
    worker.unref();
    idleTimer = setTimeout(() => {
      idleWorker = undefined;
      void worker.terminate();
    }, limits.idle).unref();
  };

  const acquire = (): Worker => {
    clearTimeout(idleTimer);
    const worker = idleWorker ?? start(script, limits);
    idleWorker = undefined;
    worker.ref();
    return worker;
  };

  const print = (task: PrintTask) =>
    new Promise<PrintAnswer>((resolve, reject) => {
      const worker = acquire();
      const removeListeners = () => {
        clearTimeout(timer);
        worker.off('message', onAnswer).off('error', onError).off('exit', onExit);
      };
      const abort = (error: Error) => {
        removeListeners();
        void worker.terminate();
        reject(error);
      };
      const onAnswer = (answer: PrintAnswer) => {
        removeListeners();
        release(worker);
        resolve(answer);
      };
      const onError = (error: NodeJS.ErrnoException) =>
        abort(
          error.code === 'ERR_WORKER_OUT_OF_MEMORY'
            ? new UnprintableDocument(`it needs more than ${limits.memory} MB to add a page`)
            : error,
        );
      const onExit = (code: number) => abort(new Error(`the printer thread exited with code ${code}`));
      const timer = setTimeout(
        () => abort(new UnprintableDocument(`it needs more than ${limits.time / 1000} s to add a page`)),
        limits.time,
      );
      worker.on('message', onAnswer).on('error', onError).on('exit', onExit);
      worker.postMessage(task, [task.document.buffer as ArrayBuffer]);
    });

  const perform = async (task: () => PrintTask): Promise<Uint8Array> => {
    const answer = await enqueue(() => print(task()));
    if ('content' in answer) return answer.content;
    throw answer.isUnprintable ? new UnprintableDocument(answer.error) : new Error(answer.error);
  };

  return {
    append: async (document, page) => {
      const { buffer, byteOffset, length } = await perform(() => ({ document: copyOf(document), page }));
      return Buffer.from(buffer, byteOffset, length);
    },
    check: async (document) => {
      await perform(() => ({ document: copyOf(document), page: null }));
    },
  };
}

/** An A4 PNG at 600 dpi takes about 6 s on a slow machine; a contract of a hundred pages less than one. */
const defaultLimits: ThreadLimits = { time: 20_000, memory: 512, idle: 60_000 };

function start(script: URL, { memory }: ThreadLimits): Worker {
  const worker = new Worker(script, { resourceLimits: { maxOldGenerationSizeMb: memory } });
  // Ignore errors after termination.
  worker.on('error', () => {});
  return worker;
}

/** Transferring to the thread detaches the buffer, which the caller still needs and which may be a shared pool. */
const copyOf = (document: Buffer) => new Uint8Array(document);
