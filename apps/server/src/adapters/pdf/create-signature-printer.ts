import { appendPages } from './append-pages.ts';
import { createFontShelf, type FontShelf } from './font-shelf.ts';
import { formatExactMoment } from './format-for-print.ts';
import { colors, openSheet, type Sheet, styles } from './open-sheet.ts';
import { pictureTypeOf, printPicture } from './print-picture.ts';
import { setFacts } from './set-facts.ts';
import { setStrokes } from './set-strokes.ts';
import type { PageSignature, SignaturePageContent, SignaturePrinter } from './signature-page-content.ts';

/** Prints signature pages with pdfkit and puts them behind the document with pdf-lib. */
export function createSignaturePrinter(): SignaturePrinter {
  const shelf = createFontShelf();
  return {
    append: async (document, page) => {
      const type = pictureTypeOf(document);
      const pdf = type ? await printPicture(document, type, page.documentTitle) : document;
      return appendPages(pdf, await setPages(shelf, page));
    },
  };
}

function setPages(shelf: FontShelf, page: SignaturePageContent): Promise<Buffer> {
  const moments = page.signatures.map(({ signedAt }) => signedAt.getTime());
  const sheet = openSheet(shelf, {
    title: page.documentTitle,
    firm: page.firm,
    createdAt: new Date(Math.max(0, ...moments)),
    runningTitle: `Signatures: ${page.documentTitle}`,
  });
  sheet.paragraph(sheet.part(sheet.root, 'H1'), 'H1', 'Signatures', styles.title, { leading: 1.2 });
  sheet.y += 4;
  sheet.paragraph(
    sheet.part(sheet.root, 'P'),
    'P',
    'This page belongs to the document before it, and says who signed it, when and how.',
    styles.soft,
  );
  sheet.y += 16;
  setFacts(sheet, [
    ['Document', page.documentTitle],
    ['File', page.fileName],
    ['Case', page.caseReference],
    ['Fingerprint\n(SHA-256)', inGroups(page.sha256)],
  ]);
  sheet.y += 14;
  for (const signature of page.signatures) setSignature(sheet, signature);
  setVerification(sheet, page);
  return sheet.close();
}

/** 64 digits as 16 groups of four, which break into lines between groups. */
const inGroups = (sha256: string) => (sha256.match(/.{1,4}/gsu) ?? []).join(' ');

const signatureWidth = 240;
const signatureHeight = 64;

function setSignature(sheet: Sheet, signature: PageSignature): void {
  sheet.need(260);
  sheet.rule(colors.line);
  sheet.y += 16;
  const drawn = signature.method === 'drawn' ? signature.drawing : null;
  if (drawn) {
    const figure = sheet.part(sheet.root, 'Figure', { alt: `Signature drawn by ${signature.name}` });
    sheet.mark(figure, 'Figure', () =>
      setStrokes(sheet.pdf, drawn, {
        x: sheet.left,
        y: sheet.y,
        width: signatureWidth,
        height: signatureHeight,
        color: colors.ink,
      }),
    );
    sheet.y += signatureHeight + 6;
  } else {
    const style = { ...styles.title, size: 26 };
    sheet.paragraph(sheet.part(sheet.root, 'P'), 'P', signature.name, style, { leading: 1.25 });
    sheet.y += 4;
  }
  sheet.decorate(() =>
    sheet.pdf
      .moveTo(sheet.left, sheet.y)
      .lineTo(sheet.left + signatureWidth, sheet.y)
      .lineWidth(0.75)
      .strokeColor(colors.lineStrong)
      .stroke(),
  );
  sheet.y += 10;
  setFacts(sheet, [
    ['Signed by', signature.name],
    ['Signed on', formatExactMoment(signature.signedAt)],
    ['How', drawn ? 'Drawn by hand on the screen' : 'The name typed as a signature'],
    ['Agreed to', signature.consent],
    ['From address', signature.address],
    ['Record', signature.recordId],
  ]);
  sheet.y += 14;
}

function setVerification(sheet: Sheet, { firm, signatures }: SignaturePageContent): void {
  sheet.need(120);
  sheet.rule(colors.line);
  sheet.y += 16;
  sheet.paragraph(sheet.part(sheet.root, 'H2'), 'H2', 'How to check this', styles.heading, { leading: 1.3 });
  sheet.y += 4;
  const record = signatures[0]?.recordId ?? 'record';
  for (const text of [
    'The fingerprint is worked out from every byte of the document as it was read and signed, without this page. If one letter of it changes, the fingerprint is another.',
    `${firm.name} keeps a sealed record of each signature. The command “keyturn verify-signature ${record}” reads the record and the document again and says whether both are unchanged.`,
  ]) {
    sheet.paragraph(sheet.part(sheet.root, 'P'), 'P', text, styles.soft);
    sheet.y += 6;
  }
}
