import type { PaymentLine } from '@keyturn/contract';
import { expect, test } from 'vitest';
import { explainPayout, type PayoutEntry, sumOfDifferences } from './payout-money.ts';

const line: PaymentLine = {
  text: 'Money on account',
  net: 0,
  vat_rate: 0,
  vat: 0,
  gross: 0,
  client_money: true,
};

/** An entry of a payout. @param clientMoney the client money in `amount`; all of it by default */
const entry = (
  kind: PayoutEntry['kind'],
  amount: number,
  { fee = 0, clientMoney = amount, paymentId = 'B' as string | null } = {},
): PayoutEntry => ({
  ...{ kind, amount, fee, clientMoney, paymentId },
  ...{ caseReference: paymentId, matterReference: null, lines: paymentId === null ? null : [line] },
});

/** Pence to move for a payout. */
const toMove = (...entries: PayoutEntry[]): number => sumOfDifferences(explainPayout(entries));

test.each([
  ['a fee is missing from a client’s money', 720, [entry('charge', 500_00, { fee: 720 })]],
  [
    'a payout with only the firm’s money is the firm’s',
    -590_80,
    [entry('charge', 600_00, { fee: 920, clientMoney: 0 })],
  ],
  [
    'the firm’s money in a payout pays its fee first',
    -585_00,
    [entry('charge', 1_000_00, { fee: 15_00, clientMoney: 400_00 })],
  ],
  [
    'a refund of money that came with an earlier payout is missing',
    515_00,
    [entry('charge', 1_000_00, { fee: 15_00 }), entry('refund', -500_00, { paymentId: 'A' })],
  ],
  [
    'a refund of money in the same payout takes nothing from others',
    15_00,
    [entry('charge', 1_000_00, { fee: 15_00 }), entry('refund', -500_00)],
  ],
  [
    'a refund that failed is clients’ money again',
    15_00,
    [entry('charge', 1_000_00, { fee: 15_00 }), entry('refund_failure', 500_00, { paymentId: 'A' })],
  ],
  [
    'a refund that failed in the payout in which it was made changes nothing',
    15_00,
    [
      entry('charge', 1_000_00, { fee: 15_00 }),
      entry('refund', -500_00, { paymentId: 'A' }),
      entry('refund_failure', 500_00, { paymentId: 'A' }),
    ],
  ],
  [
    'a chargeback and its fee are missing',
    535_00,
    [entry('charge', 1_000_00, { fee: 15_00 }), entry('dispute', -500_00, { fee: 20_00, paymentId: 'A' })],
  ],
  [
    'a chargeback that the firm won is the firm’s',
    -497_00,
    [entry('charge', 200_00, { fee: 3_00 }), entry('dispute_reversal', 500_00, { paymentId: 'A' })],
  ],
  [
    'a reserve is missing, and money from outside Keyturn is not counted as the firm’s',
    110_00,
    [
      entry('charge', 500_00, { fee: 10_00 }),
      entry('charge', 300_00, { paymentId: null, clientMoney: 0 }),
      entry('other', -100_00, { paymentId: null, clientMoney: 0 }),
    ],
  ],
  [
    'the return of a failed payout changes nothing',
    15_00,
    [
      entry('charge', 1_000_00, { fee: 15_00 }),
      entry('payout_failure', 492_80, { paymentId: null, clientMoney: 0 }),
    ],
  ],
] as const)('%s', (_what, pence, entries) => {
  expect(toMove(...entries)).toBe(pence);
});
