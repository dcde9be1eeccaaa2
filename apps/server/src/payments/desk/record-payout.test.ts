import { addDays, londonDay } from '@keyturn/format/london-time';
import {
  buildCase,
  createPaymentWorld,
  createRunningClock,
  type StripeSimulator,
  startStripeSimulator,
  startTestPayment,
  withFreshTestDatabase,
} from '@keyturn/testkit';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createStripeProvider } from '../../adapters/stripe/create-stripe-provider.ts';
import { paymentDeskHandlers } from '../../doors/staff/payment-routes.ts';
import { openSession, serveStaff } from '../../testing/serve-staff.ts';
import { fetchBalance } from '../accounts/fetch-balance.ts';
import { reconcileAccounts } from '../accounts/reconcile-accounts.ts';
import { syncPaymentFromProvider } from '../intents/sync-payment.ts';
import { readPayment } from '../records/read-payment.ts';

const testDatabase = withFreshTestDatabase();
const dayLength = 86_400_000;
let simulator: StripeSimulator;

beforeEach(async () => {
  simulator = await startStripeSimulator(createRunningClock());
});
afterEach(() => simulator.stop());

/** A firm with an account at Stripe, and a member of finance at its desk. */
async function createWorld() {
  const { clock } = simulator;
  const { dependencies: sandbox } = createPaymentWorld(testDatabase, { clock });
  const provider = createStripeProvider({
    secretKey: 'rk_test_1',
    publishableKey: 'pk_test_1',
    webhookSecrets: ['whsec_1'],
    apiBase: simulator.url,
  });
  const dependencies = { ...sandbox, provider };
  const unused = {
    receipts: { get: () => Promise.reject(new Error('not needed')) },
    isKeyRejected: () => false,
  };
  const desk = await serveStaff(testDatabase, {
    handlers: () => paymentDeskHandlers({ ...dependencies, ...unused }),
  });
  const pay = async () => {
    const built = await buildCase(testDatabase.database);
    const started = await startTestPayment(dependencies, built);
    simulator.intents.confirm(started.intentId, 'pm_card_visa');
    await syncPaymentFromProvider(dependencies, started.intentId, { name: 'test' });
    const shown = async () =>
      (await readPayment(started.paymentId).forClient(testDatabase.database, built.clientId)).payout;
    return { ...started, shown };
  };
  /** Pays out everything that is available. */
  const payOut = async () => {
    clock.advance(5 * dayLength);
    const payout = simulator.payouts.create();
    if (!payout) throw new Error('nothing to pay out');
    await fetchBalance(dependencies);
    return payout;
  };
  const arrive = async (id: string) => {
    clock.advance(dayLength);
    simulator.payouts.arrive(id);
    await fetchBalance(dependencies);
  };
  const today = () => londonDay(clock());
  const check = async () =>
    (await reconcileAccounts(testDatabase.database, clock())).filter(({ kind }) => kind === 'transfer_due');
  const member = await openSession(testDatabase, desk, { role: 'finance', name: 'Joel Adeyemi' });
  const record = (id: string, fact: string, on: string | null, former: string | null = null) =>
    member.call('POST', `/ledger/payouts/${id}`, { fact, on, former });
  const payoutInLedger = async (id: string) =>
    (
      await member.call('GET', `/ledger?from=${addDays(today(), -30)}&to=${addDays(today(), 30)}`)
    ).data.payouts.find(({ payout_id }: { payout_id: string }) => payout_id === id);
  return { desk, dependencies, clock, pay, payOut, arrive, today, check, record, payoutInLedger };
}

test('says that money is in the client account once finance matched the payout and moved what was taken from it', async () => {
  const { pay, payOut, arrive, today, check, record, payoutInLedger } = await createWorld();
  const { shown, amount } = await pay();
  expect(await shown()).toBeNull();
  const payout = await payOut();
  const paidOutOn = today();
  const paidOut = { paid_out_on: paidOutOn, expected_on: addDays(paidOutOn, 1), in_account_since: null };
  expect(await shown()).toEqual(paidOut);
  expect(await check()).toEqual([]);
  await arrive(payout.id);
  const fee = amount - payout.amount;
  expect(await check()).toMatchObject([{ kind: 'transfer_due', subject: payout.id }]);
  expect(await record(payout.id, 'matched', today())).toMatchObject({ status: 204 });
  // Its fee is missing still.
  expect(await shown()).toEqual(paidOut);
  expect(await payoutInLedger(payout.id)).toMatchObject({
    matched: { on: today(), recorded_by: 'Joel Adeyemi' },
    transferred: null,
    to_transfer: fee,
    differences: [{ kind: 'fee', amount: fee }],
  });
  expect(await record(payout.id, 'transferred', today())).toMatchObject({ status: 204 });
  expect(await shown()).toEqual({ ...paidOut, in_account_since: today() });
  expect(await check()).toEqual([]);
  const { rows } = await testDatabase.pool.query('select action, after from audit_entries order by action');
  expect(rows).toEqual([
    { action: 'payment.payout_matched', after: { payout: payout.id, on: today() } },
    { action: 'payment.payout_transferred', after: { payout: payout.id, on: today() } },
  ]);
});

test('takes the sentence back when the bank returns a payout, until its money arrives with a later one', async () => {
  const { clock, dependencies, pay, payOut, arrive, today, record } = await createWorld();
  const { shown } = await pay();
  const payout = await payOut();
  await arrive(payout.id);
  await record(payout.id, 'matched', today());
  await record(payout.id, 'transferred', today());
  expect(await shown()).toMatchObject({ in_account_since: today() });
  const events = 'select count(*)::int from broadcast_events where event = $1';
  const before = (await testDatabase.pool.query(events, ['PaymentUpdated'])).rows[0].count;
  clock.advance(2 * dayLength);
  simulator.payouts.fail(payout.id);
  await fetchBalance(dependencies);
  expect(await shown()).toBeNull();
  const withdrawn = 'select actor_name, after from audit_entries where actor_id is null';
  expect((await testDatabase.pool.query(withdrawn)).rows).toEqual([
    { actor_name: 'Keyturn', after: { payout: payout.id, on: null } },
  ]);
  expect((await testDatabase.pool.query(events, ['PaymentUpdated'])).rows[0].count).toBe(before + 1);
  expect(await record(payout.id, 'matched', today())).toMatchObject({
    status: 409,
    message: 'The bank returned this payout, and its money has not been paid out again yet.',
  });
  const later = await payOut();
  expect(later.amount).toBe(payout.amount);
  await arrive(later.id);
  expect(await record(payout.id, 'matched', addDays(today(), -3))).toMatchObject({ status: 409 });
  expect(await record(payout.id, 'matched', today())).toMatchObject({ status: 204 });
  expect(await shown()).toMatchObject({ in_account_since: today() });
});

test('shows what a chargeback and a refund of other clients took from a payout, by matter', async () => {
  const { clock, dependencies, pay, payOut, arrive, today, check, record, payoutInLedger } =
    await createWorld();
  const [disputed, refunded] = [await pay(), await pay()];
  const first = await payOut();
  await arrive(first.id);
  await record(first.id, 'matched', today());
  await record(first.id, 'transferred', today());
  simulator.intents.dispute(disputed.intentId);
  simulator.intents.refund(refunded.intentId, 600);
  const { shown, amount, intentId } = await pay();
  const another = await pay();
  // A refund of money in the same payout takes nothing from others.
  simulator.intents.refund(another.intentId, 500);
  for (const { intentId: id } of [disputed, refunded, another]) {
    await syncPaymentFromProvider(dependencies, id, { name: 'test' });
  }
  const second = await payOut();
  await arrive(second.id);
  const inLedger = await payoutInLedger(second.id);
  const missing = amount + another.amount - 500 - second.amount;
  expect(inLedger.to_transfer).toBe(missing);
  expect(
    inLedger.differences
      .filter(({ kind }: { kind: string }) => kind !== 'fee')
      .map(({ kind, amount: pence }: { kind: string; amount: number }) => [kind, pence]),
  ).toEqual(
    expect.arrayContaining([
      ['refund', 600],
      ['chargeback', expect.any(Number)],
    ]),
  );
  const sum = inLedger.differences.reduce(
    (total: number, { amount: pence }: { amount: number }) => total + pence,
    0,
  );
  expect(sum).toBe(missing);
  await record(second.id, 'matched', today());
  expect(await shown()).toMatchObject({ in_account_since: null });
  expect(await check()).toMatchObject([{ subject: second.id }]);
  clock.advance(dayLength);
  await record(second.id, 'transferred', today());
  expect(await shown()).toMatchObject({ in_account_since: today() });
  expect(intentId).toBeDefined();
});

test('refuses days that cannot be, payouts that did not arrive, and a second day', async () => {
  const { desk, pay, payOut, arrive, today, record } = await createWorld();
  await pay();
  const payout = await payOut();
  const refused = (message: string) => ({ status: 409, code: 'edit_not_possible', message });
  expect(await record(payout.id, 'matched', addDays(today(), 1))).toMatchObject({
    status: 422,
    body: { errors: { on: ['This day is in the future. Enter today or an earlier day.'] } },
  });
  expect(await record(payout.id, 'matched', addDays(today(), -1))).toMatchObject({ status: 422 });
  await arrive(payout.id);
  await record(payout.id, 'matched', today());
  expect(await record(payout.id, 'matched', today())).toMatchObject({ status: 204 });
  expect(await record(payout.id, 'matched', addDays(today(), -1))).toMatchObject(
    refused(expect.stringMatching(/^Joel Adeyemi has recorded .* already\. Remove that day first\.$/)),
  );
  // A colleague saw another day.
  expect(await record(payout.id, 'matched', null, addDays(today(), -1))).toMatchObject({ status: 409 });
  expect(await record(payout.id, 'matched', null, today())).toMatchObject({ status: 204 });
  expect(await record(payout.id, 'matched', addDays(today(), -1))).toMatchObject({ status: 204 });
  expect(await record('po_unknown', 'matched', today())).toMatchObject({ status: 404 });
  await testDatabase.pool.query(`update payouts set status = 'cancelled'`);
  expect(await record(payout.id, 'matched', today())).toMatchObject(
    refused('This payout was cancelled, so it is not on a bank statement.'),
  );
  const handler = await openSession(testDatabase, desk, { role: 'handler', name: 'Rhian Morgan' });
  expect(
    await handler.call('POST', `/ledger/payouts/${payout.id}`, { fact: 'matched', on: null, former: null }),
  ).toMatchObject({ status: 403 });
});
