import { refundStatuses } from '@keyturn/contract';
import { readPdf } from '@keyturn/pdf/testing';
import { runLength } from '@keyturn/testkit/run-length.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ReceiptContent } from '../../payments/ports/printers.ts';
import { createReceiptPrinter } from './create-receipt-printer.ts';

const statutoryLine =
  'Alder & Finch Conveyancing is a partnership. Authorised and regulated by the Solicitors Regulation Authority (SRA number 000000).';
const receipt: ReceiptContent = {
  statutoryLine,
  firm: {
    name: 'Alder & Finch Conveyancing',
    sra_number: '000000',
    phone: '0117 496 0100',
    address: ['2 Tollgate House', 'Redcliffe Parade', 'Bristol BS1 6TH'],
    opening_hours: 'Monday to Friday, 9:00 am to 5:30 pm',
    vat_number: 'GB 123 4567 89',
    order_cutoff: '15:00',
    closed_on: [],
  },
  receiptNumber: 'R-2026-000123',
  paidAt: new Date('2026-11-24T14:00:05Z'),
  payerName: "Amelia O'Brien-Łukasiewicz",
  clientNames: ["Amelia O'Brien-Łukasiewicz", 'Tom Wren'],
  caseReference: 'KT-2026-00421',
  property: 'The Old Chapel, Mill Lane, Nunney, Frome BA11 4NP',
  description: 'Local authority search (LLC1 and CON29R)',
  bill: null,
  kind: 'other',
  lines: [
    {
      text: 'Local authority search (LLC1 and CON29R)',
      net: 15_400,
      vat_rate: 20,
      vat: 3_080,
      gross: 18_480,
      client_money: false,
    },
    { text: 'Land Registry fee', net: 4_000, vat_rate: 0, vat: 0, gross: 4_000, client_money: false },
  ],
  amount: 22_480,
  refundedAmount: 0,
  dispute: 'none',
  refunds: [],
  clearing: { is_cleared: true, on: '2026-11-27' },
  awaitsPayerCheck: false,
  method: 'card',
  card: { brand: 'visa', last4: '4242', wallet: null },
  statementDescriptor: null,
  reference: null,
  sandbox: false,
};

const clientMoney = receipt.lines.map((line) => ({ ...line, client_money: true }));
const printer = createReceiptPrinter();
const print = async (changes: Partial<ReceiptContent> = {}) =>
  readPdf(await printer.print({ ...receipt, ...changes }));

describe('createReceiptPrinter', () => {
  test('prints payer, amount, date, card and case on a receipt', async () => {
    const { pages, sizes, title, author, language } = await print({
      reference: 'deposit, part 1',
      statementDescriptor: 'ALDER* KT-2026-00421',
    });
    expect(sizes).toEqual([{ width: 595, height: 842 }]);
    expect(pages[0]).toContain('On your statement');
    for (const text of [
      'Alder & Finch',
      '2 Tollgate House, Redcliffe Parade, Bristol BS1 6TH',
      statutoryLine.slice(0, 60),
      '(SRA number 000000).',
      'Receipt R-2026-000123',
      'Paid on Tuesday 24 November 2026 at 2:00 pm',
      "Amelia O'Brien-Łukasiewicz",
      'Tom Wren',
      'Visa ending 4242',
      'ALDER* KT-2026-00421',
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

  test('prints the total of each receipt line, and their sum', async () => {
    const { pages } = await print();
    expect(pages[0]).toMatch(/What you paid for ?Total ?Local/);
    expect(pages[0]).toMatch(/LLC1 and CON29R\) ?£184\.80/);
    expect(pages[0]).toMatch(/Land Registry fee ?£40\.00 ?Total paid ?£224\.80/);
  });

  test('a receipt for client money claims no VAT, and says where the money goes but not that it is there', async () => {
    expect((await print()).pages[0]).not.toContain('client account');
    for (const is_cleared of [true, false]) {
      const clearing = { is_cleared, on: '2026-11-27' };
      const [page = ''] = (await print({ lines: clientMoney, clearing })).pages;
      expect(page).toMatch(/LLC1 and CON29R\) ?£184\.80 Client money/);
      expect(page).toContain('it is paid into our client account with the next payout');
      expect(page).toContain(
        'Receipt for money held on account. Not a VAT invoice: VAT is shown on our bill.',
      );
      expect(page).not.toMatch(/VAT number|Date of supply|£30\.80|in our client account/);
      expect(page).toMatch(
        is_cleared ? /Cleared ?Friday 27 November 2026/ : /Expected by Friday 27 November 2026/,
      );
    }
  });

  test.each([
    ['open', 'The card’s bank has disputed this payment.'],
    ['lost', 'The card’s bank has reversed this payment.'],
  ] as const)(
    'does not say that the money is in the client account while a dispute is %s',
    async (dispute, note) => {
      const [page] = (await print({ lines: clientMoney, dispute })).pages;
      expect(page).toContain(note);
      expect(page).not.toContain('client account');
    },
  );

  test('describes an inquiry on a receipt as a question, not as a dispute', async () => {
    const [page] = (await print({ lines: clientMoney, dispute: 'inquiry' })).pages;
    expect(page).toContain(
      'The card’s bank has asked us about this payment. It has not taken any money back.',
    );
    expect(page).toContain('with the next payout');
    expect(page).not.toContain('disputed');
  });

  test('says on a receipt that the firm checks another person who paid', async () => {
    const notice = 'we check who paid before we use the money';
    expect((await print({ awaitsPayerCheck: true })).pages[0]).toContain(notice);
    expect((await print()).pages[0]).not.toContain(notice);
  });

  test('says only that the payment was refunded on the receipt of a fully refunded payment', async () => {
    const refunded = {
      ...{ refundedAmount: receipt.amount, clearing: null, lines: clientMoney },
    };
    const [page] = (await print(refunded)).pages;
    expect(page).toContain('has been fully refunded');
    expect(page).not.toContain('client account');
  });

  test('a receipt claims no VAT: it says what is left of its bill, and that VAT is on the bill', async () => {
    const part = (await print({ bill: { number: '118', left: 5_000 } })).pages[0];
    expect(part).toContain('Part payment of bill 118. £50.00 left. VAT is on the bill.');
    const whole = (await print({ bill: { number: '118', left: 0 } })).pages[0];
    expect(whole).toContain('Payment of bill 118. VAT is on the bill.');
    expect((await print()).pages[0]).toContain('This receipt is not a VAT invoice.');
    for (const page of [part, whole]) expect(page).not.toMatch(/VAT number|Date of supply|£30\.80/);
  });

  test('prints refunds on a receipt only if there are any', async () => {
    expect((await print()).pages[0]).not.toContain('efund');
    const part = (await print({ refundedAmount: 5_000 })).pages[0];
    expect(part).toMatch(/Refunded ?−£50\.00 ?Total after refund ?£174\.80/);
    expect(part).toContain('£50.00 of this payment has been refunded');
    expect((await print({ refundedAmount: 22_480 })).pages[0]).toContain('fully refunded');
  });

  test('lists each refund on a receipt with its day, and marks one that did not reach the bank', async () => {
    const refund = (amount: number, day: string, failed_at: string | null = null) => ({
      id: day,
      amount,
      status: failed_at ? ('failed' as const) : ('succeeded' as const),
      created_at: `${day}T09:00:00.000Z`,
      failed_at,
    });
    const refunds = [
      refund(2_000, '2026-11-25'),
      refund(600, '2026-11-26', '2026-11-28T09:00:00.000Z'),
      refund(3_000, '2026-12-01'),
    ];
    const [page = ''] = (await print({ refundedAmount: 5_000, refunds })).pages;
    expect(page).toMatch(/Refunded on Wednesday 25 November 2026 ?−£20\.00/);
    expect(page).toMatch(/Refunded on Tuesday 1 December 2026 ?−£30\.00/);
    expect(page).toMatch(
      /refund of £6\.00 made on Thursday 26 November 2026 did not reach the original card/,
    );
    expect(page).not.toContain('−£6.00');
  });

  test('says on a receipt that a pending refund is on its way', async () => {
    const pending = {
      id: 'r',
      amount: 2_000,
      status: 'pending' as const,
      created_at: '2026-11-25T09:00:00.000Z',
      failed_at: null,
    };
    const [page = ''] = (await print({ refundedAmount: 2_000, refunds: [pending] })).pages;
    expect(page).toMatch(/Refund started on Wednesday 25 November 2026 ?−£20\.00/);
    expect(page).toMatch(/A refund of £20\.00 to the original card is on its way/);
    expect(page).not.toMatch(/has been refunded|Refunded on/);
  });

  test('prints the demonstration notice only on receipts of sandbox payments', async () => {
    expect((await print({ sandbox: true })).pages[0]).toContain('Demonstration: no money has moved.');
    expect((await print()).pages[0]).not.toContain('Demonstration');
  });

  test('prints the time of payment in London time, in summer and winter', async () => {
    const { pages } = await print({ paidAt: new Date('2026-06-30T23:30:00Z') });
    expect(pages[0]).toContain('Paid on Wednesday 1 July 2026 at 12:30 am');
  });

  test('repeats the table header and numbers the pages of a receipt with forty lines', async () => {
    const [line] = receipt.lines;
    const lines = Array.from({ length: 40 }, (_, index) => ({
      ...(line as (typeof receipt.lines)[number]),
      text: `Search ${index + 1} of the forty`,
    }));
    const { pages, elements } = await print({ lines, amount: 40 * 18_480 });
    expect(pages.length).toBeGreaterThan(2);
    pages.forEach((page, index) => {
      expect(page).toContain(`Page ${index + 1} of ${pages.length}`);
      if (page.includes('of the forty')) expect(page).toMatch(/What you paid for ?Total/);
    });
    const all = pages.join(' ');
    for (const { text } of lines) expect(all).toContain(text);
    expect(all).toMatch(/Total paid ?£7,392\.00/);
    // Screen readers find the header once, and all lines as rows of one table.
    expect(elements[0]).toMatchObject({ Table: 1, TH: 2, TR: 42 });
  });

  test('tags receipts for screen readers', async () => {
    const { elements } = await print();
    expect(elements[0]).toMatchObject({ H1: 1, Table: 1, TR: 4, TH: 2, TD: 6, L: 1, LI: 8 });
  });

  test('prints the same payment as identical bytes, whatever was printed before', async () => {
    const first = await createReceiptPrinter().print(receipt);
    const other = createReceiptPrinter();
    await other.print({ ...receipt, payerName: '李小龍 محمد Ελένη', description: 'ﬁ \u{a0} ٣' });
    expect((await other.print(receipt)).equals(first)).toBe(true);
    expect((await other.print({ ...receipt, amount: 1 })).equals(first)).toBe(false);
  });

  test('fault 59: prints names in any script', async () => {
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

  test('prints right-to-left names joined and in order', async () => {
    const { pages } = await print({ clientNames: ['יוסף כהן', 'محمد بن سلمان'] });
    expect(pages[0]).toContain('יוסף כהן');
    expect(pages[0]?.normalize('NFKC').replaceAll(' ', '')).toContain('محمدبنسلمان');
  });

  test('maps no glyph to characters that PDF readers do not draw', async () => {
    const { pages } = await print({ clientNames: ['بنت يثرب', 'Nguyễn Thị Ánh', 'क्\u{200d}ष श्री'] });
    expect(pages[0]).toContain('Nguyễn Thị Ánh');
    expect(pages[0]).not.toMatch(/\p{Default_Ignorable_Code_Point}|\p{Cc}/u);
  });

  test('prints joined emoji as one, and characters without a font as U+FFFD', async () => {
    const { pages } = await print({ clientNames: ['Zoë \u{1f469}\u{200d}\u{1f467}', 'x\u{16a0}y'] });
    expect(pages[0]).toMatch(/\u{1f469}/u);
    expect(pages[0]).toContain('x\u{fffd}y');
  });

  test('prints a word of 120 characters completely', async () => {
    const long = Array.from({ length: 120 }, (_, index) => String.fromCharCode(97 + (index % 26))).join('');
    const { pages } = await print({ property: long });
    expect(pages[0]?.replaceAll(' ', '')).toContain(long);
  });

  test('prints a receipt with any text in any field', async () => {
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
      statutoryLine: text,
      firm: fc.record({
        name: text,
        sra_number: text,
        phone: text,
        address: fc.array(text, { maxLength: 4 }),
        opening_hours: text,
        vat_number: fc.option(text),
        order_cutoff: text,
        closed_on: fc.array(text, { maxLength: 1 }),
      }),
      receiptNumber: text,
      paidAt: fc.date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true }),
      payerName: text,
      clientNames: fc.array(text, { maxLength: 4 }),
      caseReference: text,
      property: fc.option(text),
      description: text,
      bill: fc.option(fc.record({ number: text, left: fc.option(pence) })),
      kind: fc.constantFrom('search', 'other'),
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
      refunds: fc.array(
        fc.record({
          id: text,
          amount: pence,
          status: fc.constantFrom(...refundStatuses),
          created_at: fc.constant('2026-11-25T09:00:00.000Z'),
          failed_at: fc.option(fc.constant('2026-11-28T09:00:00.000Z')),
        }),
        { maxLength: 3 },
      ),
      clearing: fc.option(fc.record({ is_cleared: fc.boolean(), on: text })),
      awaitsPayerCheck: fc.boolean(),
      method: fc.constantFrom('card', 'bank'),
      card: fc.option(
        fc.record({ brand: text, last4: text, wallet: fc.constantFrom(null, 'apple_pay' as const) }),
      ),
      statementDescriptor: fc.option(text),
      reference: fc.option(text),
      dispute: fc.constantFrom('none' as const, 'inquiry' as const, 'open' as const, 'lost' as const),
      sandbox: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(content, async (any) => {
        const started = performance.now();
        const pdf = await printer.print(any);
        expect(performance.now() - started).toBeLessThan(10_000);
        expect((await readPdf(pdf)).pages.at(-1)).toMatch(/Page (\d+) of \1/);
      }),
      { numRuns: runLength({ short: 2, long: 200 }) },
    );
  });
});
