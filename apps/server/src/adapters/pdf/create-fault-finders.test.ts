import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { afterOtherBytes, makePdf, markedPdfs } from '@keyturn/testkit/marked-pdfs.ts';
import PDFDocument from 'pdfkit';
import { expect, test } from 'vitest';
import { createFaultFinders } from './create-fault-finders.ts';
import { createSignaturePrinter } from './create-signature-printer.ts';

const { findSigningFault, findViewingFault } = createFaultFinders(createSignaturePrinter());

test('finds no fault in a document that can be signed', async () => {
  expect(await findSigningFault(await letter())).toBeNull();
});

test.each([
  [
    'a WebP',
    async () => Buffer.from('RIFF\x24\0\0\0WEBPVP8 ', 'latin1'),
    'it is a WebP picture: save it as a PDF, JPEG or PNG and use that',
  ],
  [
    'a password-protected PDF',
    () => letter({ userPassword: 'key' }),
    'it is protected with a password: save it without one and use that',
  ],
  [
    'a PDF that was sent as text',
    async () => Buffer.from((await letter()).toString('utf8')),
    'it was sent as text, which has destroyed some of it: ask for the original file and use that',
  ],
  [
    'a PDF whose bytes were sent as characters',
    async () => Buffer.from((await letter()).toString('latin1'), 'utf8'),
    'it was sent as text',
  ],
  ['a small PDF whose line ends were changed', async () => withCrLf(await letter()), 'it was sent as text'],
  [
    'a large PDF some of whose line ends were changed',
    async () => withCrLf(await letter({}, randomWords(4_000)), /(?<!\r)\n/g),
    'it was sent as text',
  ],
  [
    'a truncated PDF',
    async () => (await letter()).subarray(0, 400),
    'it is damaged or not a PDF: save it again as a PDF and use that',
  ],
])('reports why %s cannot be signed', async (_description, document, reason) => {
  expect(await findSigningFault(await document())).toContain(reason);
});

test('accepts a PDF with CR LF at the end of its lines, whose cross-reference table may be wrong', async () => {
  const plain = makePdf({ content: '% ÄÖÜ' });
  const crLf = withCrLf(plain);
  const place = crLf.toString('latin1').lastIndexOf('\nxref') + 1;
  const right = crLf.toString('latin1').replace(/startxref\r\n\d+/, `startxref\r\n${place}`);
  const wrong = right.replace(/startxref\r\n\d+/, 'startxref\r\n0');
  for (const text of [right, wrong, crLf.toString('latin1')])
    expect(await findViewingFault(Buffer.from(text, 'latin1'))).toBeNull();
  const repaired = (await letter()).toString('latin1').replace(/startxref\n\d+/, 'startxref\n0');
  expect(await findSigningFault(Buffer.from(repaired, 'latin1'))).toBeNull();
});

test('throws if the printer itself fails', async () => {
  const broken = createFaultFinders({
    check: async () => {
      throw new Error('out of ink');
    },
    checkShown: async () => {},
  });
  await expect(broken.findSigningFault(Buffer.alloc(0))).rejects.toThrow('out of ink');
});

test('refuses further checks with a retry while eight documents wait', async () => {
  let finish = () => {};
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const { findSigningFault: find } = createFaultFinders({
    check: () => finished,
    checkShown: async () => {},
  });
  const accepted = Array.from({ length: 9 }, () => find(Buffer.alloc(0)));
  const refused = await Promise.race([find(Buffer.alloc(0)).catch((error: unknown) => error), pause(50)]);
  expect(refused).toMatchObject({ code: 'unavailable', retryAfter: 20 });
  finish();
  expect(await Promise.all(accepted)).toEqual(Array(9).fill(null));
  expect(await find(Buffer.alloc(0))).toBeNull();
});

/** What to expect of each PDF: the fault when it is only shown, and when it is signed. */
const hidden = 'form fields with values that readers do not show';
const fields = 'form fields';
const above = 'comments, stamps or drawings on top of its pages';
const scripts = 'scripts, which can change what some readers show';
const xfa = 'an XFA form, which most readers cannot show';
const textBox = 'text boxes that readers do not show';
const faults: Record<keyof typeof markedPdfs, [toShow: string | null, toSign: string | null]> = {
  'plain page': [null, null],
  'text field without appearance': [hidden, hidden],
  'text field with appearance': [null, fields],
  'text field that needs appearances': [hidden, hidden],
  'text field without value': [null, fields],
  'hidden text field with value': [null, fields],
  'ticked checkbox': [null, fields],
  'unticked checkbox': [null, fields],
  'ticked checkbox without appearance': [hidden, hidden],
  'chosen radio button': [null, fields],
  'choice without appearance': [hidden, hidden],
  'choice with appearance': [null, fields],
  'invisible digital signature': [null, null],
  'static XFA form': [xfa, xfa],
  'dynamic XFA form': [xfa, xfa],
  portfolio: Array(2).fill('other files inside it (a PDF portfolio)') as [string, string],
  'text box': [null, above],
  'text box without appearance': [textBox, textBox],
  stamp: [null, above],
  'hidden stamp': [null, above],
  'script that runs when it is opened': [null, scripts],
  'script of a page': [null, scripts],
  'named script': [null, scripts],
  'sticky note': [null, above],
  'struck-out text': [null, above],
  'redaction that is not applied': Array(2).fill('redactions that are not applied') as [string, string],
  'text box that is only printed': [null, above],
  'attached file': [null, above],
  'web link': [null, null],
  'visible layer': [null, null],
  'hidden layer': [null, 'hidden layers'],
  'layer that is only printed': [null, 'hidden layers'],
  'page replaced in a later revision': [null, null],
  'field added in a later revision': [hidden, hidden],
  'page that readers find in two ways': [null, null],
};

const saveFlat = 'save it as a flat PDF (for example, print it to a PDF) and use that';

test.each(Object.entries(faults))(
  'finds what readers may show differently in a PDF with a %s',
  async (name, [toShow, toSign]) => {
    const document = markedPdfs[name as keyof typeof markedPdfs]();
    expect(await findViewingFault(document)).toBe(toShow && `it has ${toShow}: ${saveFlat}`);
    expect(await findSigningFault(document)).toBe(toSign && `it has ${toSign}: ${saveFlat}`);
  },
);

test.each([0, 5, 1_019])('accepts a PDF for signing that starts after %i other bytes', async (count) => {
  expect(await findSigningFault(afterOtherBytes(count))).toBeNull();
  expect(await findViewingFault(afterOtherBytes(count, markedPdfs.portfolio()))).not.toBeNull();
});

test('refuses to sign a PDF whose signed copy would show another page', async () => {
  const document = afterOtherBytes(5, markedPdfs['page that readers find in two ways']());
  expect(await findSigningFault(document)).toBe(
    'it would show other text or values once the signature page is added: print it to a new PDF and use that',
  );
});

test('passes a file that cannot be read as a PDF, if it is only shown', async () => {
  expect(await findViewingFault(makePdf().subarray(0, 60))).toBeNull();
  expect(await findViewingFault(Buffer.from('not a PDF'))).toBeNull();
});

/** Changes line ends as programs do that send a file as text. */
const withCrLf = (document: Buffer, lineEnd: RegExp = /\n/g) =>
  Buffer.from(document.toString('latin1').replaceAll(lineEnd, '\r\n'), 'latin1');

/** Words that cannot be compressed to a few bytes. */
const randomWords = (count: number) =>
  Array.from({ length: count }, (_, index) =>
    createHash('sha256').update(String(index)).digest('hex').slice(0, 8),
  ).join(' ');

function letter(options: PDFKit.PDFDocumentOptions = {}, words = 'Contract'): Promise<Buffer> {
  return new Promise((done) => {
    const pdf = new PDFDocument({ pdfVersion: '1.4', ...options });
    const chunks: Buffer[] = [];
    pdf.on('data', (chunk: Buffer) => chunks.push(chunk));
    pdf.on('end', () => done(Buffer.concat(chunks)));
    pdf.text(words);
    pdf.end();
  });
}
