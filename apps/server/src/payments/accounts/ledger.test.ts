import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expectedClearingDay } from '@keyturn/format/working-days';
import {
  buildBill,
  buildCase,
  createPaymentWorld,
  createTestClock,
  intentOf,
  limitsOf,
  parseCommand,
  sandboxCard,
  startTestPayment,
  withFreshTestDatabase,
} from '@keyturn/testkit';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startOtherPayment } from '../checkout/start-other-payment.ts';
import { syncPaymentFromProvider } from '../intents/sync-payment.ts';
import type { PaymentProvider } from '../ports/provider.ts';
import { ProviderUnavailable } from '../ports/provider.ts';
import { findLocalDiscrepancies } from '../reconciliation/find-local-discrepancies.ts';
import {
  type PaymentsCommand,
  paymentsCommand,
  runPaymentsCommand,
} from '../reconciliation/payments-command.ts';
import { findExportProfile } from './exports/find-profile.ts';
import { ledgerCsv } from './exports/ledger-csv.ts';
import { fetchBalance, fetchBalanceHandler } from './fetch-balance.ts';
import { readLedger } from './read-ledger.ts';
import { reconcileAccounts } from './reconcile-accounts.ts';

const testDatabase = withFreshTestDatabase();
const day = 86_400_000;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'keyturn-ledger-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/**
 * The sandbox with a clock that the test moves. It starts on Tuesday 5 October 2027, later than the real time of
 * stored rows.
 */
function createWorld(provider?: (real: PaymentProvider) => Partial<PaymentProvider>) {
  const clock = createTestClock(new Date('2027-10-05T09:00:00Z'));
  const world = createPaymentWorld(testDatabase, { clock, ...(provider ? { provider } : {}) });
  const pay = async (card?: string) => {
    const testCase = await buildCase(testDatabase.database);
    const payment = await startTestPayment(world.dependencies, testCase);
    await world.intents.confirm(payment.intentId, sandboxCard(card));
    await syncPaymentFromProvider(world.dependencies, payment.intentId, { name: 'test' });
    return { ...payment, ...testCase };
  };
  return { ...world, clock, pay };
}

const run = async (dependencies: Parameters<typeof runPaymentsCommand>[0], ...args: string[]) => {
  const parsed = parseCommand<PaymentsCommand>(
    (use) => paymentsCommand(dependencies.clock, use),
    ['ledger', ...args],
  );
  const lines: string[] = [];
  const exitCode = await runPaymentsCommand(dependencies, parsed, (line) => lines.push(line), 0);
  return { exitCode, lines };
};

async function tamper(text: string, ...values: unknown[]) {
  const client = await testDatabase.pool.connect();
  try {
    await client.query('begin');
    await client.query('set local session_replication_role = replica');
    await client.query(text, values);
    await client.query('commit');
  } finally {
    client.release();
  }
}

/** As finance does at the desk each day. */
const recordTransfers = () => testDatabase.pool.query('update payouts set transferred_on = arrives_on');

describe('the ledger of card money', () => {
  test('the ledger shows a payment on the day it was made, and its payout once the money is available', async () => {
    const { dependencies, clock, pay } = createWorld();
    const { amount } = await pay();
    const fee = Math.round(amount * 0.015) + 20;
    await fetchBalance(dependencies);
    const period = { from: '2027-10-01', to: '2027-10-31' };
    const before = await readLedger(testDatabase.database, period);
    expect(before.days).toEqual([
      expect.objectContaining({ day: '2027-10-05', received: amount, fees: fee, balance: amount - fee }),
    ]);
    expect(before.balances.client).toMatchObject({ client_money: -amount, bank: 0, card_costs: fee });
    const paysOutOn = expectedClearingDay(clock(), []);
    clock.set(new Date(`${paysOutOn}T10:00:00Z`));
    await fetchBalance(dependencies);
    const after = await readLedger(testDatabase.database, period);
    expect(after.days.at(-1)).toMatchObject({ day: paysOutOn, paidOut: amount - fee, balance: 0 });
    expect(after.balances.client).toMatchObject({
      client_money: -amount,
      bank: amount - fee,
      card_costs: fee,
    });
    expect(Object.values(after.balances.client).reduce((sum, balance) => sum + balance)).toBe(0);
    expect(after.entries[0]).toMatchObject({ kind: 'charge', payoutId: `po_sandbox_${paysOutOn}` });
  });

  test('the ledger shows the client money of each matter, from all earlier days too', async () => {
    const { dependencies, clock, pay } = createWorld();
    const first = await pay();
    clock.advance(40 * day);
    const second = await pay();
    await fetchBalance(dependencies);
    const { matters, entries } = await readLedger(testDatabase.database, {
      from: '2027-11-14',
      to: '2027-11-14',
    });
    expect(matters.map(({ clientMoney }) => clientMoney)).toEqual([first.amount, second.amount]);
    expect(new Set(matters.map(({ matterReference }) => matterReference)).size).toBe(2);
    expect(entries.map(({ paymentId }) => paymentId)).toEqual([second.paymentId]);
  });

  test('the ledger and its file split the payment of a bill with client money by its lines', async () => {
    const { dependencies, intents, clock } = createWorld();
    const { id: caseId, clientId } = await buildCase(testDatabase.database);
    const line = { description: 'Our fee', net: 100_00, vat: 20_00, vat_rate: 20 };
    const bill = await buildBill(testDatabase.database, {
      caseId,
      net: 145_00,
      vat: 20_00,
      lines: [
        { ...line, vat_code: 'standard', money: 'office' },
        { ...line, net: 45_00, vat: 0, vat_rate: 0, vat_code: 'outside_scope', money: 'client' },
      ],
    });
    const { client_secret, payment_id } = await startOtherPayment(
      { ...dependencies, limits: limitsOf({ min: 100, max: 500_000, dailyMax: 1_000_000 }) },
      {
        clientId,
        body: { category: 'legal_fees', bill_id: bill.id, amount: 165_00, own_card: true },
        idempotencyKey: 'bill',
      },
    );
    await intents.confirm(intentOf(client_secret), sandboxCard());
    await syncPaymentFromProvider(dependencies, intentOf(client_secret), { name: 'test' });
    await fetchBalance(dependencies);
    const { balances, entries, matters } = await readLedger(testDatabase.database, {
      from: '2027-10-05',
      to: '2027-10-05',
    });
    expect(balances.client).toMatchObject({ client_money: -45_00, business_money: -120_00 });
    expect(matters).toMatchObject([{ clientMoney: 45_00 }]);
    const fee = (Math.round(165_00 * 0.015) + 20) / 100;
    const csvIn = async (name?: string) => {
      const { profile } = await findExportProfile(testDatabase.database, name);
      if (!profile) throw new Error('no such format');
      const rows = [...ledgerCsv(entries, profile)].join('').split('\r\n').slice(0, -1);
      return rows.map((row) => row.split(','));
    };
    const [names = [], ...rows] = await csvIn();
    expect(names.join(',')).toBe(
      '\uFEFFdate,type,reference,case_reference,matter_reference,client,payment,receipt_number,description,money,gross,' +
        'fee,net,available_on,payout,payout_arrives_on,provider,account,method,payout_matched_on',
    );
    expect(rows.map((row) => row.slice(9, 13))).toEqual([
      ['client', '45.00', '0.00', '45.00'],
      ['business', '120.00', fee.toFixed(2), (120 - fee).toFixed(2)],
    ]);
    const [headings = [], ...lines] = await csvIn('general cashier');
    const columns = ['Date', 'Posting type', 'Nominal', 'Bill', 'Net', 'VAT', 'VAT code', 'Gross'];
    expect(
      lines.map((row) => columns.map((name) => row[headings.findIndex((heading) => heading.endsWith(name))])),
    ).toEqual([
      ['05/10/2027', 'Receipt', 'Office', bill.number, '100.00', '20.00', 'Standard', '120.00'],
      ['05/10/2027', 'Receipt', 'Client', bill.number, '45.00', '0.00', 'Outside scope', '45.00'],
      ['05/10/2027', 'Fee', 'Office', bill.number, (-fee).toFixed(2), '0.00', '', (-fee).toFixed(2)],
    ]);
    const local = () => findLocalDiscrepancies(testDatabase.database, { now: clock(), canCall: () => true });
    expect(await local()).toEqual([]);
    // As a server of 0.2 stores it.
    await tamper(
      `update payments set lines = '[{"text":"Bill","net":14500,"vat_rate":20,"vat":2000,"gross":16500,"client_money":false}]'`,
    );
    expect(await local()).toMatchObject([{ kind: 'allocation_mismatch', subject: payment_id }]);
  });

  test('the ledger counts a movement just before midnight in London on the day in London', async () => {
    const { dependencies, clock, pay } = createWorld();
    clock.set(new Date('2027-10-05T23:30:00Z'));
    await pay();
    await fetchBalance(dependencies);
    const on = (at: string) => readLedger(testDatabase.database, { from: at, to: at });
    expect((await on('2027-10-05')).entries).toEqual([]);
    expect((await on('2027-10-06')).entries).toHaveLength(1);
  });

  test('the ledger fetches movements that a failed run missed, and stores each once', async () => {
    let isAway = true;
    const { dependencies, pay } = createWorld((real) => ({
      listPayouts: (since) => {
        if (isAway) throw new ProviderUnavailable('away');
        return real.listPayouts(since);
      },
    }));
    await pay();
    await expect(fetchBalance(dependencies)).rejects.toThrow(ProviderUnavailable);
    isAway = false;
    await fetchBalance(dependencies);
    await fetchBalance(dependencies);
    const { rows } = await testDatabase.pool.query('select kind from balance_transactions');
    expect(rows).toEqual([{ kind: 'charge' }]);
  });

  test('the ledger lists movements that belong to no Keyturn payment separately, without affecting client money', async () => {
    const { dependencies, pay } = createWorld((real) => ({
      listBalanceTransactions: async (query) => [
        ...(await real.listBalanceTransactions(query)),
        {
          transactionId: 'txn_shop',
          kind: 'charge',
          amount: 5_000,
          fee: 95,
          currency: 'gbp',
          intentId: 'pi_shop',
          refundId: null,
          createdAt: new Date('2027-10-05T09:00:00Z'),
          availableOn: '2027-10-08',
        },
      ],
    }));
    const { amount } = await pay();
    await fetchBalance(dependencies);
    const { balances, days } = await readLedger(testDatabase.database, {
      from: '2027-10-05',
      to: '2027-10-05',
    });
    expect(balances.client).toMatchObject({ client_money: -amount, not_ours: -5_000 });
    expect(days[0]).toMatchObject({ received: amount, notOurs: 5_000 });
  });

  test.each([
    ['won', ['dispute', 'dispute_reversal']],
    ['lost', ['dispute']],
  ] as const)(
    'a dispute in the sandbox that is %s moves the ledger as at Stripe: its amount and fee are costs, never client money',
    async (outcome, kinds) => {
      const { dependencies, clock, disputes, pay } = createWorld();
      const { amount, intentId } = await pay();
      const fee = Math.round(amount * 0.015) + 20;
      clock.advance(day);
      const { id } = await disputes.open(intentId);
      clock.advance(day);
      await disputes.decide(id, outcome);
      clock.advance(3 * day);
      await syncPaymentFromProvider(dependencies, intentId, { name: 'test' });
      await fetchBalance(dependencies);
      const { entries, balances, days } = await readLedger(testDatabase.database, {
        from: '2027-10-01',
        to: '2027-10-31',
      });
      expect(entries.map(({ kind }) => kind).filter((kind) => kind.startsWith('dispute'))).toEqual(kinds);
      expect(balances.client).toMatchObject({
        client_money: -amount,
        card_costs: fee + 2_000,
        chargebacks: outcome === 'won' ? 0 : amount,
      });
      expect(Object.values(balances.client).reduce((sum, balance) => sum + balance)).toBe(0);
      expect(days.find(({ day: on }) => on === '2027-10-06')).toMatchObject({
        disputed: amount,
        fees: 2_000,
      });
      await recordTransfers();
      expect(await reconcileAccounts(testDatabase.database, clock())).toEqual([]);
    },
  );

  test('an inquiry in the sandbox moves no money until it becomes a dispute', async () => {
    const { dependencies, clock, disputes, pay } = createWorld();
    const { amount, intentId } = await pay();
    const { id } = await disputes.open(intentId, { isInquiry: true, amount: 1_000 });
    const kinds = async () => {
      await fetchBalance(dependencies);
      const { entries } = await readLedger(testDatabase.database, { from: '2027-10-05', to: '2027-10-06' });
      return entries.map(({ kind, amount: moved }) => [kind, moved]);
    };
    expect(await kinds()).toEqual([['charge', amount]]);
    clock.advance(3_600_000);
    await disputes.escalate(id);
    expect(await kinds()).toEqual([
      ['charge', amount],
      ['dispute', -1_000],
    ]);
  });

  test('a stored movement cannot be changed or deleted', async () => {
    const { dependencies, pay } = createWorld();
    await pay();
    await fetchBalance(dependencies);
    const { pool } = testDatabase;
    await expect(pool.query('update balance_transactions set amount = amount + 1')).rejects.toThrow(
      /does not change/,
    );
    await expect(pool.query('delete from balance_transactions')).rejects.toThrow();
  });
});

describe('the reconciliation of the accounts', () => {
  const later = (clock: () => Date) => new Date(clock().getTime() + 2 * 3_600_000);

  test('the reconciliation finds no discrepancies if record, movements and payouts agree', async () => {
    const { dependencies, clock, pay } = createWorld();
    await pay();
    clock.advance(10 * day);
    await fetchBalance(dependencies);
    await recordTransfers();
    expect(await reconcileAccounts(testDatabase.database, clock())).toEqual([]);
  });

  test.each([
    [
      'a charge that our record lacks',
      "update payments set paid_at = null, status = 'cancelled'",
      'movement_mismatch',
    ],
    [
      'a movement of another amount',
      "update balance_transactions set amount = amount - 1 where kind = 'charge'",
      'movement_mismatch',
    ],
    [
      'a charge that the provider lacks',
      "delete from balance_transactions where kind = 'charge'",
      'movement_mismatch',
    ],
    ['a payout of another amount', 'update payouts set amount = amount + 1', 'payout_mismatch'],
  ])('the reconciliation finds %s', async (_title, change, kind) => {
    const { dependencies, clock, pay } = createWorld();
    await pay();
    clock.advance(10 * day);
    await fetchBalance(dependencies);
    await tamper(change);
    const found = await reconcileAccounts(testDatabase.database, clock());
    expect(found.map((discrepancy) => discrepancy.kind)).toContain(kind);
  });

  test('the reconciliation leaves out payments that changed after the balance was fetched', async () => {
    const { dependencies, clock, pay } = createWorld();
    await pay();
    await fetchBalance(dependencies);
    clock.advance(day / 2);
    const { paymentId } = await pay();
    await tamper('update payments set updated_at = $2 where id = $1', paymentId, clock());
    await recordTransfers();
    expect(await reconcileAccounts(testDatabase.database, clock())).toEqual([]);
  });

  test('the reconciliation reports a balance that has not been fetched for a day, and the job alerts', async () => {
    let isAway = false;
    const { dependencies, clock, pay, alerts } = createWorld((real) => ({
      listBalanceTransactions: (query) => {
        if (isAway) throw new ProviderUnavailable('away');
        return real.listBalanceTransactions(query);
      },
    }));
    await pay();
    const { work } = fetchBalanceHandler(dependencies);
    await work({});
    isAway = true;
    clock.advance(day / 2);
    await work({});
    expect(alerts).toEqual([]);
    clock.advance(day);
    await work({});
    expect(alerts).toEqual(['the balance at the payment provider could not be fetched for a day']);
    const [found] = await reconcileAccounts(testDatabase.database, later(clock));
    expect(found).toMatchObject({ kind: 'balance_not_fetched', subject: 'sandbox' });
  });
});

describe('keyturn payments ledger', () => {
  test('keyturn payments ledger fetches the balance and prints days, matters and accounts', async () => {
    const { dependencies, pay } = createWorld();
    await pay();
    const { exitCode, lines } = await run(dependencies, '--from', '2027-10-01', '--to', '2027-10-31');
    expect(exitCode).toBe(0);
    expect(lines[0]).toBe('Money paid online from Friday 1 October 2027 to Sunday 31 October 2027');
    expect(lines).toContainEqual(expect.stringMatching(/^2027-10-05 +£\d/));
    expect(lines.at(-1)).toBe('Keyturn’s payments, the provider’s movements and its payouts agree.');
  });

  test('keyturn payments ledger writes each movement to a new CSV file, and never overwrites one', async () => {
    const { dependencies, pay } = createWorld();
    const { paymentId, amount } = await pay();
    const file = join(folder, 'ledger.csv');
    const args = ['--from', '2027-10-01', '--to', '2027-10-31', '--csv', file];
    expect((await run(dependencies, ...args)).exitCode).toBe(0);
    const [header, row, end] = readFileSync(file, 'utf8').split('\r\n');
    expect(header).toBe(
      '\uFEFFdate,type,reference,case_reference,matter_reference,client,payment,receipt_number,description,money,' +
        'gross,fee,net,available_on,payout,payout_arrives_on,provider,account,method,payout_matched_on',
    );
    expect(row).toContain(paymentId);
    expect(row).toMatch(/,sandbox,client,card,$/);
    expect(row).toContain(`,client,${(amount / 100).toFixed(2)},`);
    expect(end).toBe('');
    const written = readFileSync(file, 'utf8');
    expect(await run(dependencies, ...args)).toEqual({
      exitCode: 3,
      lines: [`${file} exists already: choose another name.`],
    });
    expect(readFileSync(file, 'utf8')).toBe(written);
  });

  test('keyturn payments ledger says why it cannot write its CSV file, and exits with 3', async () => {
    const { dependencies, pay } = createWorld();
    await pay();
    const missing = join(folder, 'missing', 'ledger.csv');
    expect(await run(dependencies, '--csv', missing)).toEqual({
      exitCode: 3,
      lines: [`The folder of ${missing} does not exist.`],
    });
    expect(await run(dependencies, '--csv', folder)).toMatchObject({ exitCode: 3 });
    expect(existsSync(missing)).toBe(false);
  });

  test('keyturn payments ledger exits with 1 and names the discrepancy if the provider’s amount differs', async () => {
    const { dependencies, clock, pay } = createWorld();
    const { paymentId } = await pay();
    await fetchBalance(dependencies);
    await tamper("update balance_transactions set amount = amount - 1 where kind = 'charge'");
    clock.advance(3 * 3_600_000);
    const { exitCode, lines } = await run(dependencies);
    expect(exitCode).toBe(1);
    expect(lines).toContainEqual(expect.stringMatching(new RegExp(`^movement_mismatch ${paymentId}: `)));
  });

  test('keyturn payments ledger exits with 2 if the provider is unavailable', async () => {
    const { dependencies, pay } = createWorld(() => ({
      listBalanceTransactions: () => Promise.reject(new ProviderUnavailable('away')),
    }));
    await pay();
    expect((await run(dependencies)).exitCode).toBe(2);
  });

  test.each([
    [['--from', '2027-02-30'], /It must be a day/],
    [['--from', '2027-11-02', '--to', '2027-11-01'], /must not be after/],
  ])('keyturn payments ledger rejects %j', async (args, message) => {
    const { dependencies } = createWorld();
    await expect(run(dependencies, ...args)).rejects.toThrow(message);
  });
});
