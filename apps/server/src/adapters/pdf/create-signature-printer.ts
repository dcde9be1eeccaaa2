import { createHash } from 'node:crypto';
import type { SignInMethod, StepUpMethod } from '@keyturn/contract';
import { formatPhone } from '@keyturn/format/phone-number';
import {
  type AppendablePdf,
  createFontLibrary,
  createImagePage,
  detectImageType,
  type FontLibrary,
  findHiddenPart,
  findPartToFlatten,
  openForAppending,
  readAsShown,
  type ShownDocument,
  type TaggedDocument,
  UnsupportedDocumentError,
} from '@keyturn/pdf';
import {
  type DocumentChecker,
  type PrintedSignature,
  type SignaturePageContent,
  type SignaturePrinter,
  UnprintableDocument,
} from '../../case-file/documents/ports.ts';
import { addFacts } from './add-facts.ts';
import { drawStrokes } from './draw-strokes.ts';
import { formatExactMoment } from './format-for-print.ts';
import { colours, createLetterheadDocument, styles } from './letterhead-document.ts';

/**
 * Creates a printer that adds signature pages to documents, in the current thread.
 * @param read reads a PDF as clients see it; tests count its calls
 */
export function createSignaturePrinter(read = readAsShown): SignaturePrinter & DocumentChecker {
  const fonts = createFontLibrary();
  const readOriginal = rememberLast(20);
  return {
    append: (document, page) =>
      convertErrors(async () => {
        const { pdf, appendable } = await openDocument(document, page.documentTitle);
        const startsWithSigned =
          appendable.keepsBytes && createHash('sha256').update(pdf).digest('hex') === page.sha256;
        const pages = await printSignaturePages(fonts, page, startsWithSigned ? pdf.length : null);
        const signed = await appendable.append(pages);
        if (!detectImageType(document)) {
          const { readShown, key } = createReader(read, appendable, pdf);
          assertSame(
            await readOriginal(key, async () => summarise(await readShown(pdf))),
            await readShown(signed),
          );
        }
        return signed;
      }),
    check: (document) =>
      convertErrors(async () => {
        const { pdf, appendable } = await openDocument(document, '');
        const extended = await appendable.appendEmptyPage();
        if (detectImageType(document)) return;
        const { readShown, key } = createReader(read, appendable, pdf);
        const original = await readOriginal(key, async () => summarise(await readShown(pdf)));
        if (original.partToFlatten !== null) throw new UnprintableDocument(original.partToFlatten);
        assertSame(original, await readShown(extended));
      }),
    checkShown: async (document) => {
      const shown = detectImageType(document) ? null : await read(document, 0).catch(() => null);
      const part = shown && findHiddenPart(shown);
      if (part) throw new UnprintableDocument(part);
    },
  };
}

async function openDocument(
  document: Buffer,
  title: string,
): Promise<{ pdf: Buffer; appendable: AppendablePdf }> {
  const imageType = detectImageType(document);
  if (imageType === 'webp') {
    throw new UnprintableDocument('it is a WebP picture: save it as a PDF, JPEG or PNG and use that');
  }
  const pdf = imageType ? await createImagePage(document, imageType, title) : document;
  return { pdf, appendable: await openForAppending(pdf) };
}

/** What is kept of a document that was read, to compare it with its signed copies. */
interface Summary {
  pages: number;
  /** SHA-256 of the text of these pages and of all values. */
  digest: string;
  /** From `findPartToFlatten`. */
  partToFlatten: string | null;
}

/**
 * Creates a function that reads a document unless it is one of the last ones: reading a hundred pages takes a second, and a
 * document is checked and then signed, often by several clients in a row.
 */
function rememberLast(count: number) {
  const known = new Map<string, Summary>();
  return async (key: string, read: () => Promise<Summary>): Promise<Summary> => {
    const summary = known.get(key) ?? (await read());
    known.delete(key);
    known.set(key, summary);
    for (const oldest of known.keys()) {
      if (known.size <= count) break;
      known.delete(oldest);
    }
    return summary;
  };
}

const summarise = (shown: ShownDocument): Summary => ({
  pages: shown.pages.length,
  digest: digestOf(shown, shown.pages.length),
  partToFlatten: findPartToFlatten(shown),
});

const digestOf = (shown: ShownDocument, pages: number): string =>
  createHash('sha256')
    .update(JSON.stringify([shown.pages.slice(0, pages), valuesOf(shown)]))
    .digest('hex');

/**
 * Creates a function that reads a PDF as clients see it, with all form values, and the text of a hundred pages. All text is
 * read of a PDF that has to be rewritten for its signature pages: there, more can go wrong.
 */
function createReader(read: typeof readAsShown, { keepsBytes }: AppendablePdf, original: Buffer) {
  const maxTextPages = keepsBytes ? 100 : Number.POSITIVE_INFINITY;
  const readShown = (pdf: Buffer): Promise<ShownDocument> =>
    read(pdf, maxTextPages).catch((error: unknown) => {
      throw new UnprintableDocument('it cannot be shown: print it to a new PDF and use that', {
        cause: error,
      });
    });
  return { readShown, key: `${maxTextPages} ${createHash('sha256').update(original).digest('hex')}` };
}

/** Checks that a PDF shows the same text and values once pages are added at its end. @throws UnprintableDocument */
function assertSame(before: Summary, after: ShownDocument): void {
  if (digestOf(after, before.pages) !== before.digest) {
    throw new UnprintableDocument(
      'it would show other text or values once the signature page is added: print it to a new PDF and use that',
    );
  }
}

const valuesOf = ({ annotations }: ShownDocument) =>
  annotations.map(({ subtype, annotationFlags, fieldValue, textContent, contentsObj }) => [
    subtype,
    annotationFlags,
    fieldValue,
    textContent,
    contentsObj?.str,
  ]);

async function convertErrors<Result>(print: () => Promise<Result>): Promise<Result> {
  try {
    return await print();
  } catch (error) {
    if (error instanceof UnsupportedDocumentError) {
      throw new UnprintableDocument(error.message, { cause: error });
    }
    throw error;
  }
}

/** @param length size in bytes of the signed document, if the result starts with exactly these bytes; otherwise null */
function printSignaturePages(
  fonts: FontLibrary,
  page: SignaturePageContent,
  length: number | null,
): Promise<Buffer> {
  const moments = page.signatures.map(({ signedAt }) => signedAt.getTime());
  const document = createLetterheadDocument(fonts, {
    title: `Signatures: ${page.documentTitle}`,
    firm: page.firm,
    statutoryLine: page.statutoryLine,
    createdAt: new Date(moments.reduce((latest, moment) => Math.max(latest, moment), 0)),
    runningTitle: page.documentTitle,
    pageName: 'Signature page',
  });
  document.addText(document.addElement(document.root, 'H1'), 'H1', 'Signatures', styles.title, {
    leading: 1.2,
  });
  document.y += 3;
  document.addText(
    document.addElement(document.root, 'P'),
    'P',
    'This page is part of the document before it. It records who signed, when and how.',
    styles.soft,
  );
  document.y += 8;
  const facts: [string, string][] = [
    ['Document', page.documentTitle],
    ['File', page.fileName],
    ['Case', page.caseReference],
    ['Fingerprint', formatFingerprint(page.sha256)],
  ];
  addFacts(document, facts, { gap: 2 });
  document.y += 8;
  for (const signature of page.signatures) addSignature(document, signature);
  addVerification(document, page, length);
  return document.finish();
}

/** Formats 64 digits as two lines of eight groups of four. */
const formatFingerprint = (sha256: string) =>
  (sha256.match(/.{1,32}/gsu) ?? []).map((line) => line.match(/.{1,4}/gsu)?.join(' ')).join('\n');

const signatureWidth = 240;
const signatureHeight = 54;

function addSignature(document: TaggedDocument, signature: PrintedSignature): void {
  document.addDivider(190, colours.line);
  const drawn = signature.method === 'drawn' ? signature.drawing : null;
  let lineWidth = signatureWidth;
  if (drawn) addDrawing(document, drawn, signature.name);
  else {
    const style = { ...styles.title, size: 26 };
    const { width } = document.writer.line(signature.name, style);
    lineWidth = Math.min(document.width, Math.max(lineWidth, width + 8));
    document.addText(document.addElement(document.root, 'P'), 'P', signature.name, style, { leading: 1.2 });
  }
  document.y += 4;
  document.drawArtifact(() =>
    document.pdf
      .moveTo(document.left, document.y)
      .lineTo(document.left + lineWidth, document.y)
      .lineWidth(0.75)
      .strokeColor(colours.lineStrong)
      .stroke(),
  );
  document.y += 8;
  const { name, clientName } = signature;
  const method = drawn ? 'Drawn on the screen' : 'Typed name';
  addFacts(
    document,
    [
      ['Signed by', clientName],
      ...(name === clientName ? [] : [['Signed as', name] satisfies [string, string]]),
      ['Signed on', formatExactMoment(signature.signedAt)],
      ['Method', `${method}, from IP address ${signature.address}`],
      ...identityFacts(signature),
      ['Agreed to', signature.consent],
      ['Record', signature.recordId],
    ],
    { gap: 2 },
  );
  document.y += 8;
}

/** Returns what the record says about the signer’s identity; nothing for records from before it was recorded. */
function identityFacts({ signedInWith, confirmation }: PrintedSignature): [string, string][] {
  if (!signedInWith) return [];
  const signIn = `Signed in with ${signInNames[signedInWith]}`;
  if (!confirmation) return [['Identity', signIn]];
  const { method, at } = confirmation;
  return [['Identity', `${signIn}; confirmed with ${stepUpNames[method]}, ${formatExactMoment(at)}`]];
}

const signInNames: Record<SignInMethod, string> = {
  password: 'the password',
  password_and_code: 'password and app code',
  password_and_recovery_code: 'password and recovery code',
  passkey: 'a passkey',
};

const stepUpNames: Record<StepUpMethod, string> = {
  password: 'the password',
  authenticator: 'an app code',
  recovery_code: 'a recovery code',
  passkey: 'a passkey',
};

function addDrawing(
  document: TaggedDocument,
  drawing: NonNullable<PrintedSignature['drawing']>,
  name: string,
): void {
  const figure = document.addElement(document.root, 'Figure', {
    alt: `Signature drawn by ${name.toWellFormed()}`,
  });
  document.drawContent(figure, 'Figure', () =>
    drawStrokes(document.pdf, drawing, {
      x: document.left,
      y: document.y,
      width: signatureWidth,
      height: signatureHeight,
      colour: colours.ink,
    }),
  );
  document.y += signatureHeight;
}

function addVerification(
  document: TaggedDocument,
  { firm }: SignaturePageContent,
  length: number | null,
): void {
  document.addDivider(100, colours.line);
  document.addText(document.addElement(document.root, 'H2'), 'H2', 'How to check this', styles.heading, {
    leading: 1.3,
  });
  document.y += 3;
  const write = (text: string) =>
    document.addText(document.addElement(document.root, 'P'), 'P', text, styles.soft);
  write(
    length === null
      ? 'The fingerprint (SHA-256) is calculated from every byte of the signed document, without this page. If one letter changes, so does the fingerprint.'
      : `The fingerprint (SHA-256) is calculated from every byte of the signed document, without this page: the first ${length.toLocaleString('en-GB')} bytes of this file. If one letter changes, so does the fingerprint.`,
  );
  document.y += 4;
  write(
    `${firm.name} keeps a sealed record of each signature and can check it for you. Call ${formatPhone(firm.phone)} and read out the record above.`,
  );
}
