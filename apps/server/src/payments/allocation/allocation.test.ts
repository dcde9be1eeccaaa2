import { addDays, londonDay } from '@keyturn/format/london-time';
import {
  buildCase,
  buildFirm,
  createPaymentWorld,
  createRunningClock,
  ownCard,
  type StripeSimulator,
  startStripeSimulator,
  startTestPayment,
  withFreshTestDatabase,
} from '@keyturn/testkit';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createStripeProvider } from '../../adapters/stripe/create-stripe-provider.ts';
import { paymentDeskHandlers } from '../../doors/staff/payment-routes.ts';
import { openSession, serveStaff } from '../../testing/serve-staff.ts';
import { rowsOf } from '../accounts/exports/ledger-rows.ts';
import { fetchBalance } from '../accounts/fetch-balance.ts';
import { readLedger } from '../accounts/read-ledger.ts';
import { syncPaymentFromProvider } from '../intents/sync-payment.ts';
import type { ReceiptContent } from '../ports/printers.ts';
import { findLocalDiscrepancies } from '../reconciliation/find-local-discrepancies.ts';
import { readPayment } from '../records/read-payment.ts';

const testDatabase = withFreshTestDatabase();
const dayLength = 86_400_000;
let simulator: StripeSimulator;

beforeEach(async () => {
  simulator = await startStripeSimulator(createRunningClock());
});
afterEach(() => simulator.stop());

/** A firm with an account at Stripe, and the payment of a joint client for a search of £180.00 whose supplier charges £150.00. */
async function payForSearch(confirmed: object = {}, orderSearches: 'at_once' | 'cleared' = 'at_once') {
  const { clock } = simulator;
  const { dependencies: sandbox } = createPaymentWorld(testDatabase, { clock });
  const provider = createStripeProvider({
    secretKey: 'rk_test_1',
    publishableKey: 'pk_test_1',
    webhookSecrets: ['whsec_1'],
    apiBase: simulator.url,
  });
  const dependencies = { ...sandbox, provider };
  const printed: ReceiptContent[] = [];
  const receipts = {
    get: async (_id: string, receipt: ReceiptContent) => {
      printed.push(receipt);
      return Buffer.from('%PDF');
    },
  };
  const desk = await serveStaff(testDatabase, {
    handlers: () => paymentDeskHandlers({ ...dependencies, receipts, isKeyRejected: () => false }),
  });
  await buildFirm(testDatabase.database);
  await testDatabase.pool.query(
    `insert into firm_data (kind, version, value)
     select kind, version + 1, value || jsonb_build_object('order_searches', $1::text)
     from firm_data where kind = 'payment_rules' order by version desc limit 1`,
    [orderSearches],
  );
  const built = await buildCase(testDatabase.database, {
    clients: [{ firstName: 'Amelia' }, { firstName: 'Tom' }],
    matters: [{ searches: [{ supplierCost: 150_00 }] }],
  });
  const [amelia = '', tom = ''] = built.clientIds;
  const { paymentId, intentId } = await startTestPayment(dependencies, {
    ...{ clientId: tom, caseSearchId: built.caseSearchId },
    confirmed: { ...ownCard, ...confirmed },
  });
  simulator.intents.confirm(intentId, 'pm_card_visa');
  const sync = () => syncPaymentFromProvider(dependencies, intentId, { name: 'test' });
  await sync();
  const finance = await openSession(testDatabase, desk, { role: 'finance', name: 'Joel Adeyemi' });
  const handler = await openSession(testDatabase, desk, { role: 'handler', name: 'Rhian Morgan' });
  const order = () =>
    testDatabase.pool.query(`update case_searches set status = 'ordered', ordered_at = $2 where id = $1`, [
      built.caseSearchId,
      clock(),
    ]);
  const clear = async () => {
    clock.advance(5 * dayLength);
    await sync();
  };
  const page = async () => (await finance.call('GET', `/payments/${paymentId}`)).data;
  const change = (office: number, reason: string, former: number) =>
    finance.call('POST', `/payments/${paymentId}/allocation`, { office, reason, former });
  const moneyOf = (lines: { client_money: boolean; gross: number }[]) =>
    lines.map(({ client_money, gross }) => `${client_money ? 'client' : 'office'} ${gross}`);
  /** What the joint client, the desk, the receipt and the ledger say of whose money it is. */
  const everywhere = async () => {
    await fetchBalance(dependencies);
    await finance.call('GET', `/payments/${paymentId}/receipt`);
    const client = await readPayment(paymentId).forClient(testDatabase.database, amelia);
    const today = londonDay(clock());
    const ledger = await readLedger(testDatabase.database, { from: addDays(today, -60), to: today });
    const sums: Record<string, number> = {};
    for (const entry of ledger.entries)
      for (const { money, amount } of rowsOf(entry, 'movements'))
        if (money !== '') sums[money] = (sums[money] ?? 0) + amount;
    const found = await findLocalDiscrepancies(testDatabase.database, { now: clock(), canCall: () => true });
    return {
      client: moneyOf(client.lines),
      desk: moneyOf((await page()).lines),
      receipt: moneyOf(printed.at(-1)?.lines ?? []),
      csv: sums,
      matter: ledger.matters[0]?.clientMoney ?? 0,
      check: found.map(({ kind }) => kind),
    };
  };
  return { ...{ clock, sync, order, clear, page, change, everywhere, finance, handler }, paymentId };
}

const splitAs = (...lines: string[]) => ({ client: lines, desk: lines, receipt: lines });

test('the payment for a search that was ordered at once repays the firm when it clears, on every screen, receipt and file', async () => {
  const { clock, order, clear, page, change, everywhere, finance, handler, paymentId } = await payForSearch();
  await order();
  const isClients = { ...splitAs('client 18000'), csv: { client: 180_00 }, matter: 180_00, check: [] };
  expect(await everywhere()).toEqual(isClients);
  expect(await page()).toMatchObject({
    allocation: null,
    allocation_obstacle: 'The money has not cleared yet.',
  });
  expect(await change(1, 'Too early', 0)).toMatchObject({ status: 409 });

  await clear();
  const repaid = {
    ...splitAs('office 15000', 'client 3000'),
    csv: { client: 30_00, business: 150_00 },
    matter: 30_00,
    check: [],
  };
  expect(await everywhere()).toEqual(repaid);
  expect(await page()).toMatchObject({
    allocation: { office: 150_00, cause: 'ordered_before', reason: null, decided_by: null },
    allocation_obstacle: null,
  });

  // The payout reaches the bank, and finance moves the firm's money out of it.
  const payout = simulator.payouts.create();
  if (!payout) throw new Error('nothing to pay out');
  clock.advance(dayLength);
  simulator.payouts.arrive(payout.id);
  expect(await everywhere()).toEqual(repaid);
  const today = londonDay(clock());
  const record = (fact: string) =>
    finance.call('POST', `/ledger/payouts/${payout.id}`, { fact, on: today, former: null });
  const inLedger = async () =>
    (await finance.call('GET', `/ledger?from=${addDays(today, -30)}&to=${addDays(today, 30)}`)).data
      .payouts[0];
  const fee = 180_00 - payout.amount;
  expect(await inLedger()).toMatchObject({
    to_transfer: fee - 150_00,
    differences: [
      { kind: 'fee', amount: fee },
      { kind: 'office', amount: -150_00 },
    ],
  });
  for (const fact of ['matched', 'transferred']) expect(await record(fact)).toMatchObject({ status: 204 });

  // Finance finds that the supplier is paid at the end of the month only.
  expect(
    await handler.call('POST', `/payments/${paymentId}/allocation`, { office: 0, reason: 'x', former: 0 }),
  ).toMatchObject({ status: 403 });
  expect(await change(181_00, 'Too much', 150_00)).toMatchObject({
    status: 422,
    body: { errors: { office: ['Enter at most £180.00, which is the whole payment.'] } },
  });
  const reason = 'The supplier is paid monthly, so this is not paid yet';
  expect(await change(0, reason, 150_00)).toMatchObject({ status: 200 });
  // Pressing twice, and a tab that shows the former decision.
  expect(await change(0, reason, 150_00)).toMatchObject({ status: 200 });
  expect(await change(1, 'Another tab', 150_00)).toMatchObject({ status: 409 });
  expect(await page()).toMatchObject({
    allocation: { office: 0, cause: 'finance', reason, decided_by: 'Joel Adeyemi' },
  });
  expect(await inLedger()).toMatchObject({
    transferred: null,
    to_transfer: 150_00,
    differences: [
      { kind: 'fee', amount: fee },
      { kind: 'moved', amount: 150_00 - fee },
    ],
  });
  expect(await everywhere()).toEqual({
    ...isClients,
    csv: { client: 180_00, business: 0 },
    check: ['transfer_due'],
  });
  await record('transferred');
  expect((await everywhere()).check).toEqual([]);
  const { rows } = await testDatabase.pool.query(
    `select before, after from audit_entries where action = 'payment.allocated'`,
  );
  expect(rows).toEqual([{ before: { office_amount: 150_00 }, after: { office_amount: 0, reason } }]);
});

test('the payment for a search that is ordered once it has cleared stays client money', async () => {
  const { clear, order, sync, page, everywhere } = await payForSearch();
  await clear();
  await order();
  await sync();
  expect(await everywhere()).toMatchObject({ ...splitAs('client 18000'), matter: 180_00, check: [] });
  expect(await page()).toMatchObject({ allocation: { office: 0, cause: 'not_ordered' } });
});

test('the payment for a search stays client money for a firm that does not pay suppliers first', async () => {
  const { clear, order, page, everywhere } = await payForSearch({}, 'cleared');
  await order();
  await clear();
  expect(await everywhere()).toMatchObject({ ...splitAs('client 18000'), matter: 180_00, check: [] });
  expect(await page()).toMatchObject({ allocation: { office: 0, cause: 'not_paid_first' } });
});

test('another person’s money repays the firm only once the check of who paid is recorded', async () => {
  const { order, clear, page, change, finance, paymentId } = await payForSearch({
    own_card: false,
    payer_name: 'Grace Hall',
  });
  // The firm's system ordered it regardless.
  await order();
  await clear();
  expect(await page()).toMatchObject({ allocation: { office: 0, cause: 'payer_unchecked' } });
  expect(await change(1, 'Now', 0)).toMatchObject({
    status: 422,
    body: {
      errors: { office: ['This money must not be used before the check of who paid it is recorded.'] },
    },
  });
  const check = {
    relationship: 'Mother',
    source: 'Savings',
    identity: 'Passport',
    approved_by: 'Dana Price',
  };
  await finance.call('POST', `/payments/${paymentId}/payer-check`, check);
  expect(await page()).toMatchObject({ allocation: { office: 150_00, cause: 'ordered_before' } });
});

test('whose money a payment is does not change while a refund of it waits, nor after one', async () => {
  const { order, clear, sync, page, change, finance, handler, paymentId } = await payForSearch();
  await order();
  await clear();
  const refund = (member: typeof finance, key: string) =>
    member.call('POST', `/payments/${paymentId}/refunds`, {
      ...{ amount: 10_00, office: null, reason: 'requested_by_customer', note: 'Not needed' },
      ...{ money_state: 'held', key },
    });
  expect(await refund(handler, 'a-key-of-a-test-1')).toMatchObject({ data: { status: 'awaiting_approval' } });
  expect(await change(100_00, 'Less', 150_00)).toMatchObject({
    status: 409,
    body: { message: expect.stringContaining('A refund of this payment is waiting.') },
  });
  await refund(finance, 'a-key-of-a-test-2');
  await sync();
  expect((await page()).allocation_obstacle).toMatch(/^Some of this payment was refunded/);
});
