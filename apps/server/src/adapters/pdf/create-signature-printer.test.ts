import { createHash } from 'node:crypto';
import { PDFDocument as PdfLibDocument } from '@cantoo/pdf-lib';
import { readAsShown } from '@keyturn/pdf';
import { readPdf } from '@keyturn/pdf/testing';
import { runLength } from '@keyturn/testkit/run-length.ts';
import fc from 'fast-check';
import PDFDocument from 'pdfkit';
import { describe, expect, test, vi } from 'vitest';
import {
  type PrintedSignature,
  type SignaturePageContent,
  UnprintableDocument,
} from '../../case-file/documents/ports.ts';
import { createSignaturePrinter } from './create-signature-printer.ts';

const unreadable = /^(?:it is damaged or not a PDF|some of its pages are missing): save it again/;
const typed: PrintedSignature = {
  recordId: '5b1c7f0e-0c55-4f6e-9f53-0a3c1d7e2b11',
  clientName: "Amelia O'Brien-Łukasiewicz",
  name: "Amelia Jane O'Brien-Łukasiewicz",
  method: 'typed',
  drawing: null,
  consent: 'I have read this document and mean to sign it.',
  signedAt: new Date('2026-11-24T14:00:05Z'),
  address: '203.0.113.7',
  signedInWith: null,
  confirmation: null,
};
const drawn: PrintedSignature = {
  ...typed,
  recordId: '8d0f3c6a-97c1-4a3e-8f7c-2b9f0c1d5e22',
  clientName: 'Tom Wren',
  name: 'T. M. Wren',
  method: 'drawn',
  drawing: {
    width: 600,
    height: 200,
    strokes: [
      [10, 100, 60, 40, 120, 150, 300, 90],
      [320, 30],
    ],
  },
  signedAt: new Date('2026-07-24T14:00:05Z'),
  address: '2001:db8:85a3::7348',
  signedInWith: 'password_and_code',
  confirmation: { method: 'passkey', at: new Date('2026-07-24T13:58:00Z') },
};
const page: SignaturePageContent = {
  statutoryLine:
    'Alder & Finch Conveyancing is a partnership. Regulated by the Council for Licensed Conveyancers (practice number 1).',
  firm: {
    name: 'Alder & Finch Conveyancing',
    sra_number: '000000',
    phone: '0117 496 0100',
    address: ['2 Tollgate House', 'Bristol BS1 6TH'],
    opening_hours: 'Monday to Friday',
    vat_number: 'GB 123 4567 89',
    order_cutoff: '15:00',
    closed_on: [],
  },
  documentTitle: 'Contract for the sale of 14 Alder Row',
  fileName: 'contract-14-alder-row.pdf',
  caseReference: 'KT-2026-00421',
  sha256: 'ab12'.repeat(16),
  signatures: [typed],
};

const printer = createSignaturePrinter();

function createCountingPrinter() {
  const read = vi.fn(readAsShown);
  return { read, printer: createSignaturePrinter(read) };
}
const append = async (document: Buffer, changes: Partial<SignaturePageContent> = {}) =>
  printer.append(document, { ...page, ...changes });

describe('createSignaturePrinter', () => {
  test('appends a signature page and keeps the document byte for byte', async () => {
    const document = await letter(['First page', 'Second page']);
    const signed = await append(document);
    expect(signed.subarray(0, document.length).equals(document)).toBe(true);
    const { pages } = await readPdf(signed);
    expect(pages).toHaveLength(3);
    expect(pages[0]).toContain('First page');
    expect(pages[1]).toContain('Second page');
    expect(pages[2]).toContain('Signature page 1 of 1');
  });

  test('prints signers, document, time, method and how to check a signature', async () => {
    const signed = await append(await letter(['Contract']), { signatures: [typed, drawn] });
    const { pages } = await readPdf(signed);
    expect(pages).toHaveLength(2);
    for (const text of [
      'Contract for the sale of 14 Alder Row',
      'contract-14-alder-row.pdf',
      'KT-2026-00421',
      'ab12 ab12 ab12 ab12 ab12 ab12 ab12 ab12 ab12 ab12 ab12 ab12 ab12 ab12 ab12 ab12',
      "Amelia O'Brien-Łukasiewicz",
      "Amelia Jane O'Brien-Łukasiewicz",
      'Tuesday 24 November 2026 at 2:00:05 pm (GMT)',
      'Typed name, from IP address 203.0.113.7',
      'I have read this document and mean to sign it.',
      'Tom Wren',
      'T. M. Wren',
      'Friday 24 July 2026 at 3:00:05 pm (BST)',
      'Drawn on the screen, from IP address 2001:db8:85a3::7348',
      'Signed in with password and app code; confirmed with a passkey',
      'Friday 24 July 2026 at 2:58:00 pm (BST)',
      typed.recordId,
      drawn.recordId,
      'can check it for you. Call',
    ]) {
      expect(pages[1]).toContain(text);
    }
    expect(pages[1]).not.toContain('keyturn ');
    // The record of the first signature does not have it.
    expect(pages[1]?.split('Identity')).toHaveLength(2);
  });

  test('prints a typed signature as text and a drawn one as lines', async () => {
    const document = await letter(['Contract']);
    const shown = async (signature: PrintedSignature) =>
      (await readPdf(await append(document, { signatures: [signature] }))).pages[1] ?? '';
    expect((await shown(typed)).split(typed.name)).toHaveLength(3);
    expect((await shown(drawn)).split(drawn.name)).toHaveLength(2);
  });

  test('names the bytes of the signed document only if they match the fingerprint', async () => {
    const document = await letter(['Contract']);
    const sha256 = createHash('sha256').update(document).digest('hex');
    const sentence = `the first ${document.length.toLocaleString('en-GB')} bytes of this file`;
    expect((await readPdf(await append(document, { sha256 }))).pages[1]).toContain(sentence);
    expect((await readPdf(await append(document))).pages[1]).not.toContain('bytes of this file');
  });

  test('prints several signature pages if the signatures need more than one', async () => {
    const signatures = Array.from({ length: 9 }, (_, index) => ({
      ...(index % 2 ? drawn : typed),
      name: `Signer ${index}`,
    }));
    const { pages } = await readPdf(await append(await letter(['Contract']), { signatures }));
    const last = pages.slice(1);
    expect(last.length).toBeGreaterThan(2);
    last.forEach((text, index) => {
      expect(text).toContain(`Signature page ${index + 1} of ${last.length}`);
    });
    for (const { name } of signatures) expect(last.join(' ')).toContain(name);
  });

  test('appends a signature page to a document that already has one', async () => {
    const once = await append(await letter(['Contract']));
    const twice = await append(once, { signatures: [drawn] });
    expect(twice.subarray(0, once.length).equals(once)).toBe(true);
    expect((await readPdf(twice)).pages).toHaveLength(3);
  });

  test('appends a signature page to a document with object streams', async () => {
    const packed = await PdfLibDocument.load(await letter(['Packed page']));
    const document = Buffer.from(await packed.save({ useObjectStreams: true }));
    const signed = await append(document);
    expect(signed.subarray(0, document.length).equals(document)).toBe(true);
    const { pages } = await readPdf(signed);
    expect(pages[0]).toContain('Packed page');
    expect(pages[1]).toContain('Signatures');
  });

  test('tags the signature page for screen readers only if the document is tagged', async () => {
    const tagged = await letter(['Contract'], { tagged: true });
    const once = await append(tagged);
    expect((await readPdf(once)).elements[1]).toMatchObject({ H1: 1, H2: 1 });
    const twice = await readPdf(await append(once));
    expect(twice.elements.slice(1)).toEqual([twice.elements[1], twice.elements[1]]);
    expect(twice.elements[2]).toMatchObject({ H1: 1, H2: 1 });
    expect((await readPdf(await append(await letter(['Contract'])))).elements[1]).toEqual({});
  });

  test('appends a signature page to a read-only encrypted document', async () => {
    const { pages } = await readPdf(await append(await letter(['Read me'], { ownerPassword: 'key' })));
    expect(pages).toHaveLength(2);
    expect(pages[0]).toContain('Read me');
  });

  test('converts an image to an A4 page with its orientation before the signature page', async () => {
    const flat = await readPdf(await append(png));
    expect(flat.sizes).toEqual([
      { width: 842, height: 595 },
      { width: 595, height: 842 },
    ]);
    const photograph = await readPdf(await append(jpeg));
    expect(photograph.sizes[0]).toEqual({ width: 595, height: 842 });
    expect(photograph.pages[1]).toContain('Signatures');
  });

  test('appends a page to a document with very many objects hardly slower than opening it', {
    timeout: 120_000,
  }, async () => {
    const document = await crowded(30_000);
    const startedAt = performance.now();
    await printer.check(document);
    const checked = performance.now();
    await append(document);
    expect(performance.now() - checked).toBeLessThan(1_000 + 3 * (checked - startedAt));
  });

  test('fault 63: rejects documents that cannot be read', async () => {
    const document = await letter(['Contract']);
    await expect(append(Buffer.from('no pdf'))).rejects.toThrow(unreadable);
    await expect(append(Buffer.alloc(0))).rejects.toThrow(unreadable);
    await expect(append(Buffer.from('%PDF-1.7\n'))).rejects.toThrow(unreadable);
    await expect(append(await letter(['Secret'], { userPassword: 'key' }))).rejects.toThrow(
      'protected with a password',
    );
    await expect(append(png.subarray(0, 50))).rejects.toThrow('the image cannot be read');
    await expect(append(jpeg.subarray(0, 12))).rejects.toThrow('the image cannot be read');
    await expect(append(document.subarray(0, 500))).rejects.toThrow(unreadable);
    await expect(append(webp)).rejects.toThrow('WebP');
    for (const unprintable of [Buffer.from('no pdf'), png.subarray(0, 50), document.subarray(0, 500), webp]) {
      await expect(printer.check(unprintable)).rejects.toThrow(UnprintableDocument);
    }
    for (const printable of [document, png, jpeg]) await printer.check(printable);
  });

  test('rejects truncated documents unless all of their pages are readable', async () => {
    const document = await letter(['First page', 'Second page', 'Third page']);
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: document.length - 1 }), async (length) => {
        const signed = await append(document.subarray(0, length)).catch((error: unknown) => error);
        if (!Buffer.isBuffer(signed)) {
          expect(signed).toBeInstanceOf(UnprintableDocument);
          expect((signed as Error).message).toMatch(/^it (?:is damaged|cannot be shown)|pages are missing/);
        } else {
          const text = (await readPdf(signed)).pages.join(' ');
          for (const part of ['First page', 'Second page', 'Third page', 'Signatures']) {
            expect(text).toContain(part);
          }
        }
      }),
      { numRuns: runLength({ short: 2, long: 200 }) },
    );
  });

  test('reads a document once when it is checked and then signed by two clients', async () => {
    const { read, printer: counting } = createCountingPrinter();
    const document = await letter(['Read once']);
    await counting.check(document);
    await counting.append(document, page);
    await counting.append(document, { ...page, signatures: [typed, drawn] });
    const reads = read.mock.calls.map(([content]) => content);
    expect(reads.filter((content) => content.equals(document))).toHaveLength(1);
    // With the empty page of the check, and each signed copy.
    expect(reads).toHaveLength(4);
  });

  test('reads a document again after twenty others', async () => {
    const { read, printer: counting } = createCountingPrinter();
    const document = await letter(['Forgotten']);
    await counting.check(document);
    for (let other = 0; other < 20; other += 1) await counting.check(await letter([`Other ${other}`]));
    read.mockClear();
    await counting.check(document);
    expect(read).toHaveBeenCalledTimes(2);
  });

  test('prints any text and any strokes', async () => {
    const document = await letter(['Contract']);
    const text = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 60 }),
      fc.string({ unit: 'binary', maxLength: 60 }),
      fc.constantFrom('', 'W'.repeat(500), 'שלום (אב) 123 '.repeat(20), '\u{d800}\u{0}'),
    );
    const coordinate = fc.oneof(fc.integer({ min: 0, max: 4_000 }), fc.constantFrom(Number.NaN, -1e9, 1e9));
    const signature = fc.record<PrintedSignature>({
      recordId: text,
      clientName: text,
      name: text,
      method: fc.constantFrom('typed', 'drawn'),
      drawing: fc.option(
        fc.record({
          width: fc.integer({ min: 0, max: 4_000 }),
          height: fc.integer({ min: 0, max: 4_000 }),
          strokes: fc.array(fc.array(coordinate, { maxLength: 30 }), { maxLength: 6 }),
        }),
      ),
      consent: text,
      signedAt: fc.date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true }),
      address: text,
      signedInWith: fc.constantFrom(null, 'passkey'),
      confirmation: fc.constantFrom(null, { method: 'password', at: new Date(0) }),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.record({ documentTitle: text, fileName: text, caseReference: text, sha256: text }),
        fc.array(signature, { maxLength: 4 }),
        async (words, signatures) => {
          const signed = await append(document, { ...words, signatures });
          expect((await readPdf(signed)).pages.at(-1)).toMatch(/Signature page (\d+) of \1/);
        },
      ),
      { numRuns: runLength({ short: 2, long: 200 }) },
    );
  });
});

/** Creates a PDF with one page and this many other objects. */
async function crowded(objects: number): Promise<Buffer> {
  const pdf = await PdfLibDocument.create();
  pdf.addPage();
  for (let index = 0; index < objects; index += 1) {
    pdf.context.register(pdf.context.obj({ A: index, B: [1, 2, 3, { C: 4 }] }));
  }
  return Buffer.from(await pdf.save({ useObjectStreams: false }));
}

/** Creates a PDF with these pages. */
function letter(pages: readonly string[], passwords: PDFKit.PDFDocumentOptions = {}): Promise<Buffer> {
  return new Promise((done) => {
    const pdf = new PDFDocument({
      autoFirstPage: false,
      pdfVersion: '1.4',
      ...passwords,
    });
    const chunks: Buffer[] = [];
    pdf.on('data', (chunk: Buffer) => chunks.push(chunk));
    pdf.on('end', () => done(Buffer.concat(chunks)));
    for (const text of pages) pdf.addPage({ size: 'A4' }).text(text);
    pdf.end();
  });
}

const webp = Buffer.from('RIFF\x24\0\0\0WEBPVP8 ', 'latin1');

/** 3 × 2 pixels. */
const png = Buffer.from(
  [
    'iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAYAAACddGYaAAAAGUlEQVR4AWJ6vD3mv4iHDRgzGU58wAADAAAAAP//yWHmUgAA',
    'AAZJREFUAwCMIAfKHVCZZAAAAABJRU5ErkJggg==',
  ].join(''),
  'base64',
);

/** 4 × 2 pixels, rotated by EXIF orientation 6. */
const jpeg = Buffer.from(
  [
    '/9j/4QAiRXhpZgAATU0AKgAAAAgAAQESAAMAAAABAAYAAAAAAAD/4AAQSkZJRgABAQAAAQABAAD/4gHYSUNDX1BST0ZJTEUA',
    'AQEAAAHIAAAAAAQwAABtbnRyUkdCIFhZWiAH4AABAAEAAAAAAABhY3NwAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAQAA',
    '9tYAAQAAAADTLQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAlkZXNjAAAA8AAA',
    'ACRyWFlaAAABFAAAABRnWFlaAAABKAAAABRiWFlaAAABPAAAABR3dHB0AAABUAAAABRyVFJDAAABZAAAAChnVFJDAAABZAAA',
    'AChiVFJDAAABZAAAAChjcHJ0AAABjAAAADxtbHVjAAAAAAAAAAEAAAAMZW5VUwAAAAgAAAAcAHMAUgBHAEJYWVogAAAAAAAA',
    'b6IAADj1AAADkFhZWiAAAAAAAABimQAAt4UAABjaWFlaIAAAAAAAACSgAAAPhAAAts9YWVogAAAAAAAA9tYAAQAAAADTLXBh',
    'cmEAAAAAAAQAAAACZmYAAPKnAAANWQAAE9AAAApbAAAAAAAAAABtbHVjAAAAAAAAAAEAAAAMZW5VUwAAACAAAAAcAEcAbwBv',
    'AGcAbABlACAASQBuAGMALgAgADIAMAAxADb/2wBDABsSFBcUERsXFhceHBsgKEIrKCUlKFE6PTBCYFVlZF9VXVtqeJmBanGQ',
    'c1tdhbWGkJ6jq62rZ4C8ybqmx5moq6T/2wBDARweHigjKE4rK06kbl1upKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSk',
    'pKSkpKSkpKSkpKSkpKSkpKSkpKT/wAARCAACAAQDASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAX/xAAXEAEBAQEA',
    'AAAAAAAAAAAAAAABAAIh/8QAFQEBAQAAAAAAAAAAAAAAAAAAAAP/xAAVEQEBAAAAAAAAAAAAAAAAAAAAAf/aAAwDAQACEQMR',
    'AD8AlK6VVV6rJJEK/9k=',
  ].join(''),
  'base64',
);
