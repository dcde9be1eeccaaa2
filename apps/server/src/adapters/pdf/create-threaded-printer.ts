import { Worker } from 'node:worker_threads';
import { type SignaturePrinter, UnprintableDocument } from '../../features/documents/ports.ts';
import { createSerialQueue } from '../../platform/serial-queue.ts';
import type { PrintAnswer, PrintTask } from './signature-worker.ts';

export interface ThreadLimits {
  /** Milliseconds for one document, the thread's start included. */
  time: number;
  /** Megabytes of its heap. */
  memory: number;
  /** Milliseconds without work after which the thread ends. */
  rest: number;
}

/**
 * Prints signatures in a thread of its own, one document at a time: a document with very many objects takes a thread
 * many seconds and more than a gigabyte. One that goes beyond the limits ends its thread and counts as unprintable; the
 * next gets a new one.
 * @param script the built `signature-worker.ts`
 */
export function createThreadedPrinter(script: URL, limits: ThreadLimits = usual): SignaturePrinter {
  const inTurn = createSerialQueue();
  let idle: Worker | undefined;
  let resting: NodeJS.Timeout | undefined;

  const rest = (worker: Worker) => {
    idle = worker;
    worker.unref();
    resting = setTimeout(() => {
      idle = undefined;
      void worker.terminate();
    }, limits.rest).unref();
  };

  const wake = (): Worker => {
    clearTimeout(resting);
    const worker = idle ?? start(script, limits);
    idle = undefined;
    worker.ref();
    return worker;
  };

  const print = (task: PrintTask) =>
    new Promise<PrintAnswer>((done, fail) => {
      const worker = wake();
      const leave = () => {
        clearTimeout(timer);
        worker.off('message', onAnswer).off('error', onFault).off('exit', onExit);
      };
      const end = (error: Error) => {
        leave();
        void worker.terminate();
        fail(error);
      };
      const onAnswer = (answer: PrintAnswer) => {
        leave();
        rest(worker);
        done(answer);
      };
      const onFault = (error: NodeJS.ErrnoException) =>
        end(
          error.code === 'ERR_WORKER_OUT_OF_MEMORY'
            ? new UnprintableDocument(`it takes more than ${limits.memory} MB to add a page to it`)
            : error,
        );
      const onExit = (code: number) => end(new Error(`the printer's thread ended with ${code}`));
      const timer = setTimeout(
        () => end(new UnprintableDocument(`it takes more than ${limits.time / 1000} s to add a page to it`)),
        limits.time,
      );
      worker.on('message', onAnswer).on('error', onFault).on('exit', onExit);
      worker.postMessage(task, [task.document.buffer as ArrayBuffer]);
    });

  const perform = async (task: () => PrintTask): Promise<Uint8Array> => {
    const answer = await inTurn(() => print(task()));
    if ('content' in answer) return answer.content;
    throw answer.isUnprintable ? new UnprintableDocument(answer.fault) : new Error(answer.fault);
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

/** A4 at 600 dpi as PNG takes some 6 s on a slow machine; a contract of a hundred pages less than one. */
const usual: ThreadLimits = { time: 20_000, memory: 512, rest: 60_000 };

function start(script: URL, { memory }: ThreadLimits): Worker {
  const worker = new Worker(script, { resourceLimits: { maxOldGenerationSizeMb: memory } });
  // What a thread says after its time is up is nobody's.
  worker.on('error', () => {});
  return worker;
}

/** The thread takes the bytes for itself: not those of the caller, nor a pool that they may lie in. */
const copyOf = (document: Buffer) => new Uint8Array(document);
