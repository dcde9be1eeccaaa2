import { expect, test } from 'vitest';
import { ledgerCsv } from './ledger-csv.ts';
import type { LedgerEntry } from './read-ledger.ts';

const entryOf = (number: number): LedgerEntry => ({
  day: '2026-11-02',
  provider: 'sandbox',
  account: 'client',
  transactionId: `txn_${number}`,
  kind: 'charge',
  amount: 18_000,
  fee: 290,
  received: 0,
  office: { before: 0, after: 0 },
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
  payerName: null,
});

// The file is written in parts of 500 rows.
test.each([0, 1, 499, 500, 501, 1_000, 1_501])(
  'the ledger’s CSV has %d movements once each, in order, below one line of names',
  (count) => {
    const entries = Array.from({ length: count }, (_, index) => entryOf(index + 1));
    const text = [...ledgerCsv(entries)].join('');
    const [names, ...rows] = text.split('\r\n');
    expect(names).toMatch(/^\uFEFFdate,type,reference,/);
    expect(rows.pop()).toBe('');
    expect(rows.map((row) => row.split(',')[2])).toEqual(entries.map(({ transactionId }) => transactionId));
    expect(text.lastIndexOf('\uFEFF')).toBe(0);
  },
);
