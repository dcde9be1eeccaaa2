import PDFDocument from 'pdfkit';
import { expect, test } from 'vitest';
import { createSignaturePrinter } from './create-signature-printer.ts';
import { createSigningFaultFinder } from './create-signing-fault-finder.ts';

const findFault = createSigningFaultFinder(createSignaturePrinter());

test('finds no fault in a document that can be signed', async () => {
  expect(await findFault(await letter())).toBeNull();
});

test.each([
  [
    'a WebP',
    async () => Buffer.from('RIFF\x24\0\0\0WEBPVP8 ', 'latin1'),
    'WebP images cannot be converted to a PDF page',
  ],
  [
    'a password-protected PDF',
    () => letter({ userPassword: 'key' }),
    'the PDF cannot be read: it is protected with a password',
  ],
  ['a truncated PDF', async () => (await letter()).subarray(0, 400), 'the PDF cannot be read'],
])('reports why %s cannot be signed', async (_description, document, reason) => {
  expect(await findFault(await document())).toContain(reason);
});

test('throws if the printer itself fails', async () => {
  const broken = createSigningFaultFinder({
    append: async () => Buffer.alloc(0),
    check: async () => {
      throw new Error('out of ink');
    },
  });
  await expect(broken(Buffer.alloc(0))).rejects.toThrow('out of ink');
});

function letter(options: PDFKit.PDFDocumentOptions = {}): Promise<Buffer> {
  return new Promise((done) => {
    const pdf = new PDFDocument({ pdfVersion: '1.4', ...options });
    const chunks: Buffer[] = [];
    pdf.on('data', (chunk: Buffer) => chunks.push(chunk));
    pdf.on('end', () => done(Buffer.concat(chunks)));
    pdf.text('Contract');
    pdf.end();
  });
}
