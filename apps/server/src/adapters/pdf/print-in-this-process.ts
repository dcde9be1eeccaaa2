import { createFactSheetPrinter } from './create-fact-sheet-printer.ts';
import { createReceiptPrinter } from './create-receipt-printer.ts';
import { createSignaturePrinter } from './create-signature-printer.ts';

/** Creates printers that work in this process, for servers that run from the sources. */
export const printersInThisProcess = () => ({
  printer: createSignaturePrinter(),
  paymentPrinter: { ...createReceiptPrinter(), ...createFactSheetPrinter() },
});
