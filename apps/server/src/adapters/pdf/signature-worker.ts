import { parentPort } from 'node:worker_threads';
import { type SignaturePageContent, UnprintableDocument } from '../../features/documents/ports.ts';
import { createSignaturePrinter } from './create-signature-printer.ts';

/* The thread that `create-threaded-printer.ts` starts. It is a separate entry of the build (vite.config.ts). */

export interface PrintTask {
  document: Uint8Array;
  /** Null to only check that a page can be added. */
  page: SignaturePageContent | null;
}

export type PrintAnswer = { content: Uint8Array } | { error: string; isUnprintable: boolean };

const printer = createSignaturePrinter();

parentPort?.on('message', (task: PrintTask) => {
  void perform(task).then((answer) => parentPort?.postMessage(answer));
});

async function perform({ document, page }: PrintTask): Promise<PrintAnswer> {
  const bytes = Buffer.from(document.buffer, document.byteOffset, document.length);
  try {
    if (page) return { content: await printer.append(bytes, page) };
    await printer.check(bytes);
    return { content: new Uint8Array() };
  } catch (error) {
    return {
      error: error instanceof Error ? error.message : String(error),
      isUnprintable: error instanceof UnprintableDocument,
    };
  }
}
