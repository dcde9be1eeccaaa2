import { type SignaturePageContent, UnprintableDocument } from '../../case-file/documents/ports.ts';
import type { FactSheet, ReceiptContent } from '../../payments/ports/printers.ts';
import { createFactSheetPrinter } from './create-fact-sheet-printer.ts';
import { createReceiptPrinter } from './create-receipt-printer.ts';
import { createSignaturePrinter } from './create-signature-printer.ts';

/* The process that `create-pdf-process.ts` starts. It is a separate entry of the build (vite.config.ts). */

export type PdfTask =
  | { kind: 'receipt'; receipt: ReceiptContent }
  | { kind: 'fact-sheet'; sheet: FactSheet }
  | { kind: 'check' | 'check-shown'; document: Uint8Array }
  | { kind: 'append'; document: Uint8Array; page: SignaturePageContent };

export type PdfAnswer = { content: Uint8Array } | { error: string; isUnprintable: boolean };

const signatures = createSignaturePrinter();
const receipts = createReceiptPrinter();
const factSheets = createFactSheetPrinter();

// Ctrl-C reaches every process of the terminal. The server ends this one when its work is done.
process.on('SIGINT', () => {});
process.on('disconnect', () => process.exit());
process.on('message', (task: PdfTask) => {
  void perform(task).then((answer) => process.send?.(answer));
});

async function perform(task: PdfTask): Promise<PdfAnswer> {
  try {
    switch (task.kind) {
      case 'receipt':
        return { content: await receipts.print(task.receipt) };
      case 'fact-sheet':
        return { content: await factSheets.printFactSheet(task.sheet) };
      case 'append':
        return { content: await signatures.append(bytesOf(task), task.page) };
      case 'check':
        await signatures.check(bytesOf(task));
        return { content: new Uint8Array() };
      case 'check-shown':
        await signatures.checkShown(bytesOf(task));
        return { content: new Uint8Array() };
    }
  } catch (error) {
    return {
      error: error instanceof Error ? error.message : String(error),
      isUnprintable: error instanceof UnprintableDocument,
    };
  }
}

const bytesOf = ({ document }: { document: Uint8Array }) =>
  Buffer.from(document.buffer, document.byteOffset, document.length);
