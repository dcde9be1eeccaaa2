import { formatDayAndTime } from '@keyturn/format/london-time';
import { createFontLibrary, type TaggedDocument } from '@keyturn/pdf';
import type { EvidencePrinter, EvidenceSection } from '../../payments/ports/printers.ts';
import { addFacts } from './add-facts.ts';
import { createLetterheadDocument, styles } from './letterhead-document.ts';
import { addPaymentTable } from './payment-table.ts';

/** Creates a printer for the evidence packs of disputes. */
export function createEvidencePrinter(): EvidencePrinter {
  const fonts = createFontLibrary();
  return {
    printEvidence: async (pack) => {
      const document = createLetterheadDocument(fonts, {
        title: pack.title,
        firm: pack.firm,
        statutoryLine: pack.statutoryLine,
        createdAt: pack.preparedAt,
        runningTitle: pack.title,
        pageName: 'Page',
      });
      document.addText(document.addElement(document.root, 'H1'), 'H1', pack.title, styles.title, {
        leading: 1.2,
      });
      document.y += 6;
      addParagraph(document, pack.introduction);
      addParagraph(
        document,
        `Prepared on ${formatDayAndTime(pack.preparedAt)}. All times are in the United Kingdom’s time.`,
      );
      if (pack.sandbox) addParagraph(document, 'Demonstration: no money has moved.');
      for (const section of pack.sections) {
        addSection(document, section);
        if (!section.hasBill) continue;
        document.y += 10;
        addPaymentTable(document, pack.bill);
      }
      return document.finish();
    },
  };
}

function addSection(document: TaggedDocument, { heading, facts, notes }: EvidenceSection): void {
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
