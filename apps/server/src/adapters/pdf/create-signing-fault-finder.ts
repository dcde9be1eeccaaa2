import { type SignaturePrinter, UnprintableDocument } from '../../features/documents/ports.ts';
import type { FindSigningFault } from '../../features/feed/ports.ts';

/** Creates a check that tries whether the printer can append a signature page to a document. */
export function createSigningFaultFinder(printer: SignaturePrinter): FindSigningFault {
  return async (document) => {
    try {
      await printer.check(document);
      return null;
    } catch (error) {
      if (error instanceof UnprintableDocument) return error.message;
      throw error;
    }
  };
}
