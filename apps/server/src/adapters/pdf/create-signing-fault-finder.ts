import { type SignaturePrinter, UnprintableDocument } from '../../case-file/documents/ports.ts';
import type { FindSigningFault } from '../../case-file/import/ports.ts';

/**
 * Creates a check that tries whether a signature page can be appended to a document.
 * @param printers each does one check at a time; further checks wait for a free printer
 */
export function createSigningFaultFinder(...printers: SignaturePrinter[]): FindSigningFault {
  const idle = [...printers];
  const waiting: ((printer: SignaturePrinter) => void)[] = [];
  const release = (printer: SignaturePrinter) => {
    const next = waiting.shift();
    if (next) next(printer);
    else idle.push(printer);
  };
  return async (document) => {
    const printer = idle.pop() ?? (await new Promise<SignaturePrinter>((resolve) => waiting.push(resolve)));
    try {
      await printer.check(document);
      return null;
    } catch (error) {
      if (error instanceof UnprintableDocument) return error.message;
      throw error;
    } finally {
      release(printer);
    }
  };
}
