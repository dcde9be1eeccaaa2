import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ReceiptContent } from '../../features/payments/ports.ts';
import { createReceiptPrinter } from './create-receipt-printer.ts';
import { readPrintedPdf } from './read-printed-pdf.ts';

const receipt: ReceiptContent = {
  firm: {
    name: 'Alder & Finch Conveyancing',
    sra_number: '000000',
    phone: '0117 496 0100',
    address: ['2 Tollgate House', 'Redcliffe Parade', 'Bristol BS1 6TH'],
    opening_hours: 'Monday to Friday, 9:00 am to 5:30 pm',
  },
  receiptNumber: 'R-2026-000123',
  paidAt: new Date('2026-11-24T14:00:05Z'),
  payerName: "Amelia O'Brien-Łukasiewicz",
  clientNames: ["Amelia O'Brien-Łukasiewicz", 'Tom Wren'],
  caseReference: 'KT-2026-00421',
  property: 'The Old Chapel, Mill Lane, Nunney, Frome BA11 4NP',
  description: 'Local authority search (LLC1 and CON29R)',
  lines: [
    {
      text: 'Local authority search (LLC1 and CON29R)',
      net: 15_400,
      vat_rate: 20,
      vat: 3_080,
      gross: 18_480,
      client_money: true,
    },
    { text: 'Land Registry fee', net: 4_000, vat_rate: 0, vat: 0, gross: 4_000, client_money: false },
  ],
  amount: 22_480,
  refundedAmount: 0,
  card: { brand: 'visa', last4: '4242' },
  reference: null,
  sandbox: false,
};

const printer = createReceiptPrinter();
const print = async (changes: Partial<ReceiptContent> = {}) =>
  readPrintedPdf(await printer.print({ ...receipt, ...changes }));

describe('a receipt', () => {
  test('says who paid what, when, how and for which case', async () => {
    const { pages, sizes, title, author, language } = await print({ reference: 'deposit, part 1' });
    expect(sizes).toEqual([{ width: 595, height: 842 }]);
    for (const text of [
      'Alder & Finch',
      '2 Tollgate House, Redcliffe Parade, Bristol BS1 6TH',
      'SRA number 000000',
      'Receipt R-2026-000123',
      'Paid on Tuesday 24 November 2026 at 2:00 pm',
      "Amelia O'Brien-Łukasiewicz",
      'Tom Wren',
      'Visa ending 4242',
      'KT-2026-00421',
      'The Old Chapel, Mill Lane, Nunney, Frome BA11 4NP',
      'deposit, part 1',
      'Page 1 of 1',
    ]) {
      expect(pages[0]).toContain(text);
    }
    expect({ title, author, language }).toEqual({
      title: 'Receipt R-2026-000123',
      author: 'Alder & Finch Conveyancing',
      language: 'en-GB',
    });
  });

  test('tells net, VAT rate, VAT and total of each line, and their sums', async () => {
    const { pages } = await print();
    expect(pages[0]).toMatch(
      /LLC1 and CON29R\) ?£154\.00 ?20% ?£30\.80 ?£184\.80 Client money: held in our client account/,
    );
    expect(pages[0]).toMatch(/Land Registry fee ?£40\.00 ?No VAT ?£0\.00 ?£40\.00 ?Total paid/);
    expect(pages[0]).toMatch(/Total paid ?£194\.00 ?£30\.80 ?£224\.80/);
  });

  test('tells of client money only where a line is client money', async () => {
    const [line] = receipt.lines;
    const own = line ? [{ ...line, client_money: false }] : [];
    expect((await print({ lines: own })).pages[0]).not.toContain('client account');
    expect((await print()).pages[0]).toContain('It is held in our client account');
  });

  test('tells what was paid back, and only then', async () => {
    expect((await print()).pages[0]).not.toContain('back');
    const part = (await print({ refundedAmount: 5_000 })).pages[0];
    expect(part).toMatch(/Paid back to you ?−£50\.00 ?Left after what was paid back ?£174\.80/);
    expect(part).toContain('£50.00 of this payment has been paid back');
    expect((await print({ refundedAmount: 22_480 })).pages[0]).toContain('All of this payment');
  });

  test('says of a demonstration that no money has moved, and of a real payment does not', async () => {
    expect((await print({ sandbox: true })).pages[0]).toContain('Demonstration: no money has moved.');
    expect((await print()).pages[0]).not.toContain('Demonstration');
  });

  test('gives the time in London, in summer as in winter', async () => {
    const { pages } = await print({ paidAt: new Date('2026-06-30T23:30:00Z') });
    expect(pages[0]).toContain('Paid on Wednesday 1 July 2026 at 12:30 am');
  });

  test('of forty lines goes over pages, each with the head of the table and its number', async () => {
    const [line] = receipt.lines;
    const lines = Array.from({ length: 40 }, (_, index) => ({
      ...(line as (typeof receipt.lines)[number]),
      text: `Search ${index + 1} of the forty`,
    }));
    const { pages, parts } = await print({ lines, amount: 40 * 18_480 });
    expect(pages.length).toBeGreaterThan(2);
    pages.forEach((page, index) => {
      expect(page).toContain(`Page ${index + 1} of ${pages.length}`);
      if (page.includes('of the forty')) expect(page).toMatch(/What you paid for ?Net ?VAT rate ?VAT ?Total/);
    });
    const all = pages.join(' ');
    for (const { text } of lines) expect(all).toContain(text);
    expect(all).toMatch(/Total paid ?£6,160\.00 ?£1,232\.00 ?£7,392\.00/);
    // A screen reader meets the head once, and every line as a row of one table.
    expect(parts[0]).toMatchObject({ Table: 1, TH: 5, TR: 42 });
  });

  test('has a structure for screen readers', async () => {
    const { parts } = await print();
    expect(parts[0]).toMatchObject({ H1: 1, Table: 1, TR: 4, TH: 5, TD: 15, L: 1, LI: 7 });
  });

  test('is the same to the byte for the same payment, whatever was printed before', async () => {
    const first = await createReceiptPrinter().print(receipt);
    const other = createReceiptPrinter();
    await other.print({ ...receipt, payerName: '李小龍 محمد Ελένη', description: 'ﬁ \u{a0} ٣' });
    expect((await other.print(receipt)).equals(first)).toBe(true);
    expect((await other.print({ ...receipt, amount: 1 })).equals(first)).toBe(false);
  });

  test('shows names in any script', async () => {
    const names = [
      '李小龍',
      'Nguyễn Thị Ánh Dương',
      'Δημήτρης Παπαδόπουλος',
      'Владимир Ильич',
      'Zoë',
      'かな カナ',
      'Māori Ẓāhir',
    ];
    const { pages } = await print({ clientNames: names });
    for (const name of names) expect(pages[0]).toContain(name.normalize('NFC'));
    expect(pages[0]).not.toContain('\u{fffd}');
  });

  test('shows names that run from right to left, joined and in their order', async () => {
    const { pages } = await print({ clientNames: ['יוסף כהן', 'محمد بن سلمان'] });
    expect(pages[0]).toContain('יוסף כהן');
    expect(pages[0]?.normalize('NFKC').replaceAll(' ', '')).toContain('محمدبنسلمان');
  });

  test('shows a joined emoji as one picture, and what no font has as the replacement character', async () => {
    const { pages } = await print({ clientNames: ['Zoë \u{1f469}\u{200d}\u{1f467}', 'x\u{16a0}y'] });
    expect(pages[0]).toMatch(/\u{1f469}/u);
    expect(pages[0]).toContain('x\u{fffd}y');
  });

  test('shows a word of 120 characters whole', async () => {
    const long = Array.from({ length: 120 }, (_, index) => String.fromCharCode(97 + (index % 26))).join('');
    const { pages } = await print({ property: long });
    expect(pages[0]?.replaceAll(' ', '')).toContain(long);
  });

  test('of any text in any field is a PDF, soon', { timeout: 120_000 }, async () => {
    const text = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 80 }),
      fc.string({ unit: 'binary', maxLength: 80 }),
      fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)) }),
      fc.constantFrom(
        'W'.repeat(600),
        `e${'\u{301}\u{302}\u{30c}'.repeat(60)}`,
        '\u{1f469}\u{200d}'.repeat(60),
        'لا'.repeat(120),
        '\u{202e}abc\u{202d}محمد\u{2066}(]'.repeat(40),
        '\u{d800}\u{0}\u{1b}\u{fffe}',
        'क्ष्म्य'.repeat(100),
        '(['.repeat(120),
        '',
      ),
    );
    const pence = fc.integer({ min: -(10 ** 12), max: 10 ** 12 });
    const content = fc.record<ReceiptContent>({
      firm: fc.record({
        name: text,
        sra_number: text,
        phone: text,
        address: fc.array(text, { maxLength: 4 }),
        opening_hours: text,
      }),
      receiptNumber: text,
      paidAt: fc.date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true }),
      payerName: text,
      clientNames: fc.array(text, { maxLength: 4 }),
      caseReference: text,
      property: fc.option(text),
      description: text,
      lines: fc.array(
        fc.record({
          text,
          net: pence,
          vat_rate: fc.double({ min: 0, max: 100, noNaN: true }),
          vat: pence,
          gross: pence,
          client_money: fc.boolean(),
        }),
        { maxLength: 4 },
      ),
      amount: pence,
      refundedAmount: pence,
      card: fc.option(fc.record({ brand: text, last4: text })),
      reference: fc.option(text),
      sandbox: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(content, async (any) => {
        const started = performance.now();
        const pdf = await printer.print(any);
        expect(performance.now() - started).toBeLessThan(10_000);
        expect((await readPrintedPdf(pdf)).pages.at(-1)).toMatch(/Page (\d+) of \1/);
      }),
      { numRuns: 25 },
    );
  });
});
