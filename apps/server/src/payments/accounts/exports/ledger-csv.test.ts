import type { ExportProfile } from '@keyturn/contract/staff';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { StoredPaymentLine } from '../../../schema/tables/payment-tables.ts';
import type { LedgerEntry } from '../read-ledger.ts';
import { splitMovements } from '../split-movements.ts';
import { cellsOf, ledgerCsv } from './ledger-csv.ts';
import { rowsOf } from './ledger-rows.ts';

const entryOf = (number: number, change: Partial<LedgerEntry> = {}): LedgerEntry => ({
  day: '2026-11-02',
  provider: 'sandbox',
  account: 'client',
  transactionId: `txn_${number}`,
  kind: 'charge',
  amount: 18_000,
  fee: 290,
  before: { client: 0, office: 0 },
  allocated: 0,
  refundId: null,
  refundOffice: null,
  clientMoney: 0,
  createdAt: new Date('2026-11-02T09:00:00Z'),
  availableOn: '2026-11-04',
  payoutId: null,
  payoutArrivesOn: null,
  payoutMatchedOn: null,
  paymentId: null,
  method: 'card',
  receiptNumber: null,
  purpose: 'search',
  description: null,
  lines: null,
  caseReference: null,
  matterReference: null,
  feeEarner: null,
  clientName: null,
  clientReference: null,
  payerName: null,
  bill: null,
  ...change,
});

const profileOf = (
  columns: ExportProfile['columns'][number]['field'][],
  change: Partial<ExportProfile> = {},
): ExportProfile => ({
  name: 'Test',
  rows: 'movements',
  date_format: 'YYYY-MM-DD',
  columns: columns.map((field) => ({ heading: field, field, text: field === 'fixed_text' ? '=1+1' : null })),
  codes: {
    posting_types: {
      charge: 'REC',
      refund: 'PAY',
      refund_failure: null,
      dispute: null,
      dispute_reversal: null,
      fee: 'FEE',
      payout: null,
      payout_failure: null,
      allocation: null,
      other: null,
    },
    bank: { client: '1200', business: '1210' },
    nominal: { client: '9990', office: '9991' },
    vat: { standard: 'T1', zero: null, exempt: null, outside_scope: null },
  },
  ...change,
});

// The file is written in parts of 500 movements.
test.each([0, 1, 499, 500, 501, 1_000, 1_501])(
  'the ledger’s CSV has %d movements once each, in order, below one line of headings',
  (count) => {
    const entries = Array.from({ length: count }, (_, index) => entryOf(index + 1));
    const text = [...ledgerCsv(entries, profileOf(['date', 'reference']))].join('');
    const [names, ...rows] = text.split('\r\n');
    expect(names).toBe('\uFEFFdate,reference');
    expect(rows.pop()).toBe('');
    expect(rows.map((row) => row.split(',')[1])).toEqual(entries.map(({ transactionId }) => transactionId));
    expect(text.lastIndexOf('\uFEFF')).toBe(0);
  },
);

test('an export has the codes of its format, and no cell that a spreadsheet would run as a formula', () => {
  const entry = entryOf(1, {
    lines: [{ text: 'Search', net: 15_000, vat: 3_000, vat_rate: 20, gross: 18_000, client_money: true }],
    clientMoney: 18_000,
    clientName: 'Amelia Okafor',
    clientReference: 'C-17',
    payerName: '=HYPERLINK("x")',
    receiptNumber: 'R-1',
  });
  const profile = profileOf(
    [
      'posting_type',
      'bank_code',
      'nominal_code',
      'client_number',
      'client',
      'payer',
      'fixed_text',
      'narrative',
    ],
    { rows: 'lines' },
  );
  const [, ...rows] = [...ledgerCsv([entry], profile)].join('').split('\r\n');
  expect(rows).toEqual([
    `REC,1200,9990,C-17,Amelia Okafor,"'=HYPERLINK(""x"")",'=1+1,"Online payment, Search, =HYPERLINK(""x""), receipt R-1"`,
    `FEE,1200,9991,C-17,Amelia Okafor,"'=HYPERLINK(""x"")",'=1+1,"Fee of the payment provider, =HYPERLINK(""x""), receipt R-1"`,
    '',
  ]);
});

test.each([
  ['YYYY-MM-DD', '2026-11-02'],
  ['DD/MM/YYYY', '02/11/2026'],
  ['DD/MM/YY', '02/11/26'],
  ['YYYYMMDD', '20261102'],
] as const)('an export writes days as %s, and leaves a day that is not known empty', (date_format, day) => {
  expect(cellsOf([entryOf(1)], profileOf(['date', 'payout_arrives_on'], { date_format }))).toEqual([
    [day, ''],
  ]);
});

test('an export shows no VAT for money that pays no bill, because that is no payment for a supply', () => {
  const search = { text: 'Search', net: 15_000, vat: 3_000, vat_rate: 20, gross: 18_000, client_money: true };
  const entry = entryOf(1, { lines: [search], clientMoney: 18_000 });
  expect(cellsOf([entry], profileOf(['net', 'vat', 'vat_code'], { rows: 'lines' }))[0]).toEqual([
    '180.00',
    '0.00',
    '',
  ]);
});

test('a decision that a part of a search’s payment repays the firm moves it between the two in an export, and has no VAT', () => {
  const search = {
    text: 'Search',
    net: 15_000,
    vat: 3_000,
    vat_rate: 20,
    gross: 18_000,
    client_money: true,
  };
  const entry = entryOf(1, {
    kind: 'allocation',
    amount: 0,
    fee: 0,
    before: { client: 18_000, office: 0 },
    lines: [search],
    allocated: 6_000,
    clientMoney: -6_000,
  });
  for (const rows of ['movements', 'lines'] as const)
    expect(cellsOf([entry], profileOf(['kind', 'money', 'amount', 'vat'], { rows }))).toEqual([
      ['allocation', 'client', '-60.00', '0.00'],
      ['allocation', 'business', '60.00', '0.00'],
    ]);
});

const linesOfPayment = fc
  .array(
    fc.record({
      net: fc.integer({ min: 1, max: 500_000 }),
      vat_rate: fc.constantFrom(0, 20),
      client_money: fc.boolean(),
      isOfBill: fc.boolean(),
    }),
    { minLength: 1, maxLength: 6 },
  )
  .map((lines) =>
    lines.map(({ net, vat_rate, client_money, isOfBill }, index): StoredPaymentLine => {
      const vat = Math.round((net * vat_rate) / 100);
      const isAbove = client_money && !isOfBill;
      return {
        text: `Line ${index}`,
        net,
        vat,
        vat_rate,
        gross: net + vat,
        client_money,
        ...(isAbove ? {} : { bill_line: index }),
      };
    }),
  );
const sum = (amounts: number[]) => amounts.reduce((total, amount) => total + amount, 0);

test('for any payment and its refunds, each row’s net amount and VAT make its gross amount, and the rows make the movements', () => {
  fc.assert(
    fc.property(
      linesOfPayment,
      fc.array(fc.tuple(fc.integer({ min: 1, max: 400_000 }), fc.option(fc.nat({ max: 400_000 }))), {
        maxLength: 8,
      }),
      fc.integer({ min: 0, max: 9_999 }),
      fc.constantFrom('movements' as const, 'lines' as const),
      (lines, refunds, fee, rows) => {
        const paid = sum(lines.map(({ gross }) => gross));
        let received = 0;
        const totals = new Map<string, number>();
        const movements: Partial<LedgerEntry>[] = [];
        // Finance may choose which part of a refund is the firm's.
        for (const [step, refundOffice] of [
          [paid, null],
          ...refunds.map(([refund, office]) => [-refund, office]),
          [-paid, null],
        ] as [number, number | null][]) {
          const amount = Math.max(step, -received);
          if (amount === 0) continue;
          received += amount;
          const kind = amount > 0 ? 'charge' : 'refund';
          movements.push({ kind, amount, fee: amount > 0 ? fee : 0, lines, refundOffice });
        }
        const entries = movements.map((movement, index) => entryOf(index, movement));
        for (const entry of splitMovements(entries, () => 'a payment')) {
          const { kind, amount } = entry;
          expect(entry.before.client + entry.clientMoney).toBeGreaterThanOrEqual(0);
          expect(entry.before.office + amount - entry.clientMoney).toBeGreaterThanOrEqual(0);
          const found = rowsOf(entry, rows);
          expect(sum(found.map((row) => row.amount - row.fee))).toBe(entry.amount - entry.fee);
          const ofMoney = found.filter((row) => row.kind === kind);
          expect(sum(ofMoney.map((row) => row.amount))).toBe(amount);
          expect(sum(ofMoney.filter(({ money }) => money === 'client').map((row) => row.amount))).toBe(
            entry.clientMoney,
          );
          for (const [gross = '', net = '', vat = ''] of cellsOf(
            [entry],
            profileOf(['amount', 'net', 'vat'], { rows }),
          )) {
            for (const cell of [gross, net, vat]) expect(cell).toMatch(/^-?\d+\.\d\d$/);
            const [all, before, tax] = [gross, net, vat].map((cell) => Math.round(Number(cell) * 100));
            expect((before ?? 0) + (tax ?? 0)).toBe(all);
          }
          // No line gets back more than was paid of it, and VAT never runs against its money.
          for (const row of ofMoney) {
            expect(row.vat * Math.sign(amount)).toBeGreaterThanOrEqual(0);
            expect((row.amount - row.vat) * Math.sign(amount)).toBeGreaterThanOrEqual(0);
            totals.set(row.line ?? row.money, (totals.get(row.line ?? row.money) ?? 0) + row.vat);
          }
        }
        for (const vat of totals.values()) expect(vat).toBe(0);
      },
    ),
  );
});
