import { formatDayAndTime } from '@keyturn/format/london-time';
import { createFontLibrary, type TaggedDocument } from '@keyturn/pdf';
import type { FactSheetPrinter, FactSheetSection } from '../../payments/ports/printers.ts';
import { addFacts } from './add-facts.ts';
import { createLetterheadDocument, styles } from './letterhead-document.ts';
import { addPaymentTable } from './payment-table.ts';

/** Creates a printer for documents that list what the firm has on record. */
export function createFactSheetPrinter(): FactSheetPrinter {
  const fonts = createFontLibrary();
  return {
    printFactSheet: async (sheet) => {
      const document = createLetterheadDocument(fonts, {
        title: sheet.title,
        firm: sheet.firm,
        statutoryLine: sheet.statutoryLine,
        createdAt: sheet.preparedAt,
        runningTitle: sheet.title,
        pageName: 'Page',
      });
      document.addText(document.addElement(document.root, 'H1'), 'H1', sheet.title, styles.title, {
        leading: 1.2,
      });
      document.y += 6;
      addParagraph(document, sheet.introduction);
      addParagraph(
        document,
        `Prepared on ${formatDayAndTime(sheet.preparedAt)}. All times are in the United Kingdom’s time.`,
      );
      if (sheet.sandbox) addParagraph(document, 'Demonstration: no money has moved.');
      for (const section of sheet.sections) {
        addSection(document, section);
        if (!section.bill) continue;
        document.y += 10;
        addPaymentTable(document, section.bill);
      }
      return document.finish();
    },
  };
}

function addSection(document: TaggedDocument, { heading, facts, notes }: FactSheetSection): void {
  document.y += 16;
  // A heading is never the last line of a page.
  document.ensureSpace(72);
  document.addText(document.addElement(document.root, 'H2'), 'H2', heading, styles.heading, { leading: 1.3 });
  document.y += 6;
  if (facts.length > 0) addFacts(document, facts);
  for (const note of notes) addParagraph(document, note);
}

function addParagraph(document: TaggedDocument, text: string): void {
  document.addText(document.addElement(document.root, 'P'), 'P', text, styles.soft);
  document.y += 5;
}
