import { createHash } from 'node:crypto';
import { PDFDocument } from '@cantoo/pdf-lib';
import {
  type PrintedSignature,
  type SignaturePageContent,
  type SignaturePrinter,
  UnprintableDocument,
} from '../../features/documents/ports.ts';
import { createFontShelf, type FontShelf } from './font-shelf.ts';
import { formatExactMoment } from './format-for-print.ts';
import { type GrowingPdf, growPdf } from './grow-pdf.ts';
import { colors, openSheet, type Sheet, styles } from './open-sheet.ts';
import { pictureTypeOf, printPicture } from './print-picture.ts';
import { setFacts } from './set-facts.ts';
import { setStrokes } from './set-strokes.ts';

/** Prints signature pages with pdfkit and puts them behind the document with pdf-lib: here and now, in this thread. */
export function createSignaturePrinter(): SignaturePrinter {
  const shelf = createFontShelf();
  return {
    append: async (document, page) => {
      const { pdf, growing } = await open(document, page.documentTitle);
      const told = growing.keepsBytes && createHash('sha256').update(pdf).digest('hex') === page.sha256;
      return grow(growing, await setPages(shelf, page, told ? pdf.length : null));
    },
    check: async (document) => {
      const { growing } = await open(document, '');
      const empty = await PDFDocument.create();
      empty.addPage();
      await grow(growing, Buffer.from(await empty.save()));
    },
  };
}

async function open(document: Buffer, title: string): Promise<{ pdf: Buffer; growing: GrowingPdf }> {
  const type = pictureTypeOf(document);
  if (type === 'webp') throw new UnprintableDocument('a WebP picture cannot become a page of a PDF');
  const pdf = type ? await printPicture(document, type, title) : document;
  return { pdf, growing: await growPdf(pdf) };
}

async function grow(growing: GrowingPdf, pages: Buffer): Promise<Buffer> {
  try {
    return await growing.append(pages);
  } catch (error) {
    throw new UnprintableDocument('the PDF cannot be added to', { cause: error });
  }
}

/** @param length bytes of the document that the result will begin with, where the fingerprint is theirs */
function setPages(shelf: FontShelf, page: SignaturePageContent, length: number | null): Promise<Buffer> {
  const moments = page.signatures.map(({ signedAt }) => signedAt.getTime());
  const sheet = openSheet(shelf, {
    title: `Signatures: ${page.documentTitle}`,
    firm: page.firm,
    createdAt: new Date(moments.reduce((latest, moment) => Math.max(latest, moment), 0)),
    runningTitle: page.documentTitle,
    pageName: 'Signature page',
  });
  sheet.paragraph(sheet.part(sheet.root, 'H1'), 'H1', 'Signatures', styles.title, { leading: 1.2 });
  sheet.y += 3;
  sheet.paragraph(
    sheet.part(sheet.root, 'P'),
    'P',
    'This page belongs to the document before it. It says who signed it, when and how.',
    styles.soft,
  );
  sheet.y += 14;
  const facts: [string, string][] = [
    ['Document', page.documentTitle],
    ['File', page.fileName],
    ['Case', page.caseReference],
    ['Fingerprint', inGroups(page.sha256)],
  ];
  setFacts(sheet, facts, { gap: 2 });
  sheet.y += 12;
  for (const signature of page.signatures) setSignature(sheet, signature);
  setVerification(sheet, page, length);
  return sheet.close();
}

/** 64 digits as two lines of eight groups of four. */
const inGroups = (sha256: string) =>
  (sha256.match(/.{1,32}/gsu) ?? []).map((line) => line.match(/.{1,4}/gsu)?.join(' ')).join('\n');

const signatureWidth = 240;
const signatureHeight = 54;

function setSignature(sheet: Sheet, signature: PrintedSignature): void {
  sheet.divide(190);
  const drawn = signature.method === 'drawn' ? signature.drawing : null;
  let lineWidth = signatureWidth;
  if (drawn) setDrawing(sheet, drawn, signature.name);
  else {
    const style = { ...styles.title, size: 26 };
    const { width } = sheet.writer.line(signature.name, style);
    lineWidth = Math.min(sheet.width, Math.max(lineWidth, width + 8));
    sheet.paragraph(sheet.part(sheet.root, 'P'), 'P', signature.name, style, { leading: 1.2 });
  }
  sheet.y += 4;
  sheet.decorate(() =>
    sheet.pdf
      .moveTo(sheet.left, sheet.y)
      .lineTo(sheet.left + lineWidth, sheet.y)
      .lineWidth(0.75)
      .strokeColor(colors.lineStrong)
      .stroke(),
  );
  sheet.y += 8;
  const { name, clientName } = signature;
  const how = drawn ? 'Drawn by hand on the screen' : 'Name typed as a signature';
  setFacts(
    sheet,
    [
      ['Signed by', clientName],
      ...(name === clientName ? [] : [['With the name', name] satisfies [string, string]]),
      ['Signed on', formatExactMoment(signature.signedAt)],
      ['How', `${how}, from the network address ${signature.address}`],
      ['Agreed to', signature.consent],
      ['Record', signature.recordId],
    ],
    { gap: 2 },
  );
  sheet.y += 12;
}

function setDrawing(sheet: Sheet, drawing: NonNullable<PrintedSignature['drawing']>, name: string): void {
  const figure = sheet.part(sheet.root, 'Figure', { alt: `Signature drawn by ${name.toWellFormed()}` });
  sheet.mark(figure, 'Figure', () =>
    setStrokes(sheet.pdf, drawing, {
      x: sheet.left,
      y: sheet.y,
      width: signatureWidth,
      height: signatureHeight,
      color: colors.ink,
    }),
  );
  sheet.y += signatureHeight;
}

function setVerification(
  sheet: Sheet,
  { firm, signatures }: SignaturePageContent,
  length: number | null,
): void {
  sheet.divide(96 + signatures.length * 14);
  sheet.paragraph(sheet.part(sheet.root, 'H2'), 'H2', 'How to check this', styles.heading, { leading: 1.3 });
  sheet.y += 3;
  const write = (text: string, style = styles.soft) =>
    sheet.paragraph(sheet.part(sheet.root, 'P'), 'P', text, style);
  write(
    length === null
      ? 'The fingerprint (SHA-256) is worked out from every byte of the document as it was signed, without this page. If one letter changes, so does the fingerprint.'
      : `The fingerprint (SHA-256) is worked out from every byte of the document as it was signed, without this page: the first ${length.toLocaleString('en-GB')} bytes of this file. If one letter changes, so does the fingerprint.`,
  );
  sheet.y += 4;
  write(`${firm.name} keeps a sealed record of each signature, and checks it with:`);
  for (const { recordId } of signatures) write(`keyturn verify-signature ${recordId}`, styles.text);
}
