import { type SignaturePrinter, UnprintableDocument } from '../../features/documents/ports.ts';
import type { FindSigningFault } from '../../features/feed/ports.ts';

/** Asks the printer itself whether it can put signatures behind a document. */
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
