import {
  buildBill,
  buildCase,
  createPaymentWorld,
  createTestClock,
  intentOf,
  limitsOf,
  sandboxCard,
  withFreshTestDatabase,
} from '@keyturn/testkit';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { paymentDeskHandlers } from '../../doors/staff/payment-routes.ts';
import { openSession, serveStaff } from '../../testing/serve-staff.ts';
import { rowsOf } from '../accounts/exports/ledger-rows.ts';
import { fetchBalance } from '../accounts/fetch-balance.ts';
import { readLedger } from '../accounts/read-ledger.ts';
import { billLines } from '../bills/bill-amounts.ts';
import { findBill } from '../bills/bills-store.ts';
import { startOtherPayment } from '../checkout/start-other-payment.ts';
import { syncPaymentFromProvider } from '../intents/sync-payment.ts';
import { officeOfFailedRefund, officeOfRefund, partsAfter, partsOf } from '../records/money-parts.ts';

const testDatabase = withFreshTestDatabase();

/** A firm at whose desk finance refunds £165.00, of which £120.00 paid the firm’s fee and £45.00 is client money. */
async function payMixedBill() {
  const clock = createTestClock(new Date('2027-10-05T09:00:00Z'));
  const { dependencies, intents } = createPaymentWorld(testDatabase, { clock });
  const unused = {
    receipts: { get: () => Promise.reject(new Error('not needed')) },
    isKeyRejected: () => false,
  };
  const desk = await serveStaff(testDatabase, {
    handlers: () => paymentDeskHandlers({ ...dependencies, ...unused }),
  });
  const { id: caseId, clientId } = await buildCase(testDatabase.database);
  const line = { description: 'Our fee', net: 100_00, vat: 20_00, vat_rate: 20 };
  const bill = await buildBill(testDatabase.database, {
    ...{ caseId, net: 145_00, vat: 20_00 },
    lines: [
      { ...line, vat_code: 'standard', money: 'office' },
      { ...line, net: 45_00, vat: 0, vat_rate: 0, vat_code: 'outside_scope', money: 'client' },
    ],
  });
  const { client_secret, payment_id: paymentId } = await startOtherPayment(
    { ...dependencies, limits: limitsOf({ min: 100, max: 500_000, dailyMax: 1_000_000 }) },
    {
      clientId,
      body: { category: 'legal_fees', bill_id: bill.id, amount: 165_00, own_card: true },
      idempotencyKey: 'bill',
    },
  );
  await intents.confirm(intentOf(client_secret), sandboxCard());
  await syncPaymentFromProvider(dependencies, intentOf(client_secret), { name: 'test' });
  const open = (role: 'handler' | 'finance', name: string) => openSession(testDatabase, desk, { role, name });
  const [finance, handler] = [await open('finance', 'Joel Adeyemi'), await open('handler', 'Rhian Morgan')];
  let keys = 0;
  const refund = (amount: number, office: number | null, member = finance) => {
    clock.advance(60_000);
    return member.call('POST', `/payments/${paymentId}/refunds`, {
      ...{ amount, office, reason: 'requested_by_customer', note: 'Not needed', money_state: 'held' },
      key: `a-key-of-a-test-${keys++}`,
    });
  };
  const page = async () => (await finance.call('GET', `/payments/${paymentId}`)).data;
  const books = async () => {
    await fetchBalance(dependencies);
    const period = { from: '2027-10-01', to: '2027-10-31' };
    const { balances, entries } = await readLedger(testDatabase.database, period);
    return {
      client: -balances.client.client_money,
      office: -balances.client.business_money,
      refunds: entries
        .filter(({ kind }) => kind === 'refund')
        .map((entry) => rowsOf(entry, 'movements').map(({ money, amount }) => `${money} ${amount}`)),
    };
  };
  /** What is to be paid again of the bill, by its lines. */
  const unpaid = async (amount: number) => {
    const found = await findBill(testDatabase.database, bill.id);
    if (!found) throw new Error('no bill');
    return billLines(found, amount).map(({ gross, client_money }) => [client_money, gross]);
  };
  return { refund, page, books, unpaid, handler };
}

test('finance chooses how much of a refund is client money, and the ledger, its file and the bill follow', async () => {
  const { refund, page, books, unpaid } = await payMixedBill();
  expect(await page()).toMatchObject({ parts_left: { client: 45_00, office: 120_00 } });
  expect(await refund(30_00, 0)).toMatchObject({ status: 200, data: { status: 'succeeded', office: 0 } });
  expect(await page()).toMatchObject({ parts_left: { client: 15_00, office: 120_00 } });
  expect(await books()).toEqual({ client: 15_00, office: 120_00, refunds: [['client -3000']] });
  expect(await unpaid(30_00)).toEqual([[true, 30_00]]);
  // A refund without a choice takes the firm's money first, as before.
  expect(await refund(20_00, null)).toMatchObject({ data: { office: 20_00 } });
  expect(await refund(25_00, 15_00)).toMatchObject({ data: { office: 15_00 } });
  expect(await books()).toEqual({
    ...{ client: 5_00, office: 85_00 },
    refunds: [['client -3000'], ['business -2000'], ['client -1000', 'business -1500']],
  });
  expect(await unpaid(75_00)).toEqual([
    [false, 35_00],
    [true, 40_00],
  ]);
  const { rows } = await testDatabase.pool.query(
    `select after ->> 'office_amount' as office from audit_entries where action = 'payment.refund_requested' order by occurred_at`,
  );
  expect(rows.map(({ office }) => office)).toEqual(['0', null, '1500']);
});

test('a refund takes no more of either money than is left of it, and only finance chooses', async () => {
  const { refund, handler } = await payMixedBill();
  const refused = (text: string) => ({ status: 422, body: { errors: { office: [text] } } });
  expect(await refund(50_00, 51_00)).toMatchObject(
    refused('Enter at most £50.00, which is the whole refund.'),
  );
  expect(await refund(50_00, 0)).toMatchObject(
    refused('Only £45.00 of the client money is left, so enter at least £5.00.'),
  );
  expect(await refund(130_00, 125_00)).toMatchObject(refused('Only £120.00 of the firm’s money is left.'));
  expect(await refund(10_00, 0, handler)).toMatchObject(
    refused('Someone in finance decides whose money is refunded.'),
  );
  // A request reserves its part before it is approved, and its approver reads it.
  expect(await refund(40_00, null, handler)).toMatchObject({
    data: { status: 'awaiting_approval', office: 40_00 },
  });
  expect(await refund(90_00, 85_00)).toMatchObject(refused('Only £80.00 of the firm’s money is left.'));
});

test('the parts of a payment are never below zero and add up to what is left, whatever is refunded and returned', () => {
  const pence = fc.nat({ max: 50_000 });
  const line = fc.record({ gross: pence, client_money: fc.boolean(), bill_line: fc.constantFrom(0, 1) });
  fc.assert(
    fc.property(
      fc.array(line, { minLength: 1, maxLength: 4 }),
      pence,
      fc.array(fc.record({ amount: pence, office: fc.option(pence) }), { maxLength: 6 }),
      (billed, above, wanted) => {
        const lines = [...billed, { gross: above, client_money: true }];
        const amount = lines.reduce((sum, { gross }) => sum + gross, 0);
        let left = amount;
        const refunds = wanted.map((refund) => {
          const made = Math.min(refund.amount, left);
          left -= made;
          return { ...refund, amount: made };
        });
        const parts = partsAfter(lines, amount, refunds);
        expect(Math.min(parts.client, parts.office)).toBeGreaterThanOrEqual(0);
        expect(parts.client + parts.office).toBe(left);
        // By default, the same is left as if only the first pence had been received.
        const byRule = refunds.map((refund) => ({ ...refund, office: null }));
        expect(partsAfter(lines, amount, byRule)).toEqual(partsOf(lines, left));
        const returned = officeOfFailedRefund(lines, partsOf(lines, left), amount - left);
        expect(partsOf(lines, left).office + returned).toBe(partsOf(lines, amount).office);
        expect(officeOfRefund(lines, parts, { amount: left, chosen: null })).toBe(parts.office);
      },
    ),
  );
});
