import {
  buildCase,
  createPaymentWorld,
  parseCommand,
  sandboxCard,
  startTestPayment,
  withTestDatabase,
} from '@keyturn/testkit';
import { expect, test } from 'vitest';
import { syncPaymentFromProvider } from '../intents/sync-payment.ts';
import type { PaymentDependencies } from '../payment-dependencies.ts';
import { ProviderUnavailable } from '../ports/provider.ts';
import {
  type PaymentsCommand,
  paymentsCommand,
  runPaymentsCommand,
} from '../reconciliation/payments-command.ts';
import { syncRefunds } from './sync-refunds.ts';

const testDatabase = withTestDatabase();

/** A paid payment of £180.00, and the command line. */
async function createPaidPayment(change: Partial<PaymentDependencies> = {}, card = '4242424242424242') {
  let now = Date.now();
  const world = createPaymentWorld(testDatabase, { clock: () => new Date(now), dependencies: change });
  const { dependencies, intents } = world;
  const { clientId, caseSearchId } = await buildCase(testDatabase.database);
  const { paymentId, intentId } = await startTestPayment(dependencies, { clientId, caseSearchId });
  await intents.confirm(intentId, sandboxCard(card));
  await syncPaymentFromProvider(dependencies, intentId, { name: 'test' });
  const run = async (by: PaymentDependencies, ...args: string[]) => {
    const command = parseCommand<PaymentsCommand>(
      (done) => paymentsCommand(() => new Date(), done),
      ['refund', ...args],
    );
    const lines: string[] = [];
    return {
      code: await runPaymentsCommand(by, command, (line) => lines.push(line)),
      text: lines.join('\n'),
    };
  };
  const query = async (sql: string) => (await testDatabase.pool.query(sql, [paymentId])).rows;
  return {
    ...world,
    paymentId,
    intentId,
    caseSearchId,
    run,
    refund: (...args: string[]) => run(dependencies, paymentId, '--reason', 'Search not needed', ...args),
    rows: () =>
      query(
        'select amount, status, requested_by, approved_by from refunds where payment_id = $1 order by created_at',
      ),
    atProvider: async () => (await dependencies.provider.retrieveIntent(intentId)).refunds,
    query,
    wait: (milliseconds: number) => {
      now += milliseconds;
    },
  };
}

test('the record, email and search of a payment show a partial refund', async () => {
  const { refund, paymentId, atProvider, query } = await createPaidPayment();
  expect(await refund('--amount', '6.00')).toMatchObject({
    code: 0,
    text: expect.stringContaining('£6.00 was refunded'),
  });
  expect(await atProvider()).toMatchObject([{ amount: 600, status: 'succeeded' }]);
  expect(await query('select status, refunded_amount from payments where id = $1')).toEqual([
    { status: 'partially_refunded', refunded_amount: 600 },
  ]);
  expect(
    await query(
      'select money, refund_status, refund_amount from payment_changes where payment_id = $1 and refund_id is not null order by id',
    ),
  ).toEqual([
    { money: 0, refund_status: 'approved', refund_amount: 600 },
    { money: -600, refund_status: 'succeeded', refund_amount: 600 },
  ]);
  expect(await query("select amount from payment_mails where payment_id = $1 and kind = 'refund'")).toEqual([
    { amount: 600 },
  ]);
  expect(paymentId).toBeTruthy();
});

test('a repeated refund command makes no second refund, unless it has another key', async () => {
  const { refund, rows, atProvider } = await createPaidPayment();
  await refund('--amount', '6');
  expect((await refund('--amount', '6.00')).text).toContain('An earlier command requested this refund');
  expect(await rows()).toHaveLength(1);
  await Promise.all([refund('--amount', '6', '--key', 'b'), refund('--amount', '6', '--key', 'b')]);
  expect(await atProvider()).toHaveLength(2);
  expect((await refund('--amount', '7', '--key', 'b')).text).toContain('belongs to a refund of £6.00');
});

test.each([
  ['after', 1],
  ['before', 0],
] as const)(
  'a refund command that crashes %s the provider was called is continued, with one refund',
  async (when, made) => {
    const { dependencies, run, paymentId, refund, atProvider, rows } = await createPaidPayment();
    const { provider } = dependencies;
    const cut: PaymentDependencies = {
      ...dependencies,
      provider: {
        ...provider,
        createRefund: async (terms) => {
          if (when === 'after') await provider.createRefund(terms);
          throw new ProviderUnavailable('crashed');
        },
      },
    };
    const args = [paymentId, '--amount', '6', '--reason', 'Search not needed'];
    expect((await run(cut, ...args)).code).toBe(2);
    expect(await atProvider()).toHaveLength(made);
    expect(await rows()).toMatchObject([{ status: 'approved' }]);
    expect((await refund('--amount', '6')).code).toBe(0);
    expect(await atProvider()).toHaveLength(1);
    expect(await rows()).toMatchObject([{ status: 'succeeded' }]);
  },
);

test('finds a refund that reached the provider, even after its idempotency key has expired', async () => {
  const { dependencies, run, paymentId, atProvider, rows, query } = await createPaidPayment();
  const { provider } = dependencies;
  const cut: PaymentDependencies = {
    ...dependencies,
    provider: {
      ...provider,
      createRefund: async (terms) => {
        await provider.createRefund(terms);
        throw new ProviderUnavailable('crashed');
      },
    },
  };
  await run(cut, paymentId, '--amount', '6', '--reason', 'x');
  await testDatabase.pool.query("update sandbox_refunds set idempotency_key = 'forgotten ' || id");
  const [refund] = await query('select id from refunds where payment_id = $1');
  expect((await run(dependencies, 'submit', refund.id)).code).toBe(0);
  expect(await atProvider()).toHaveLength(1);
  expect(await rows()).toMatchObject([{ amount: 600, status: 'succeeded' }]);
});

test('the periodic check submits a refund that was interrupted', async () => {
  const { dependencies, run, paymentId, atProvider, rows, wait } = await createPaidPayment();
  const unavailable = () => Promise.reject(new ProviderUnavailable('crashed'));
  const cut = { ...dependencies, provider: { ...dependencies.provider, createRefund: unavailable } };
  await run(cut, paymentId, '--amount', '6', '--reason', 'x');
  wait(120_000);
  await syncRefunds(dependencies);
  expect(await atProvider()).toHaveLength(1);
  expect(await rows()).toMatchObject([{ status: 'succeeded' }]);
});

test('never refunds more than the rest, even with concurrent requests and refunds made at the provider', async () => {
  const { refund, intents, intentId, atProvider } = await createPaidPayment();
  await intents.refund(intentId, { amount: 2_000, reason: 'duplicate', idempotencyKey: intentId });
  const results = await Promise.all(['a', 'b', 'c'].map((key) => refund('--amount', '100', '--key', key)));
  expect(results.map(({ code }) => code).sort()).toEqual([0, 1, 1]);
  expect(results.find(({ code }) => code === 1)?.text).toMatch(/^Only £60\.00 is left: of £180\.00 paid/);
  const amounts = (await atProvider()).map(({ amount }) => amount);
  expect(amounts.toSorted((one, other) => one - other)).toEqual([2_000, 10_000]);
});

test('refunds above the limit need two different people, even as the sum of several refunds', async () => {
  const { refund, run, dependencies, rows, alerts, atProvider } = await createPaidPayment({
    refundApprovalPence: 10_000,
  });
  expect(await refund('--amount', '100.01')).toMatchObject({
    code: 1,
    text: expect.stringContaining('need two people'),
  });
  await refund('--amount', '99');
  const requested = await refund('--amount', '2', '--requested-by', 'Priya Shah');
  expect(requested).toMatchObject({ code: 0, text: expect.stringContaining('waits for a second person') });
  expect(alerts).toContain('a refund waits for a second person');
  expect(await atProvider()).toHaveLength(1);
  const id = requested.text.split(':')[0] ?? '';
  const same = await run(dependencies, 'approve', id, '--approved-by', ' priya  shah');
  expect(same).toMatchObject({ code: 1, text: expect.stringContaining('another person has to approve it') });
  expect((await run(dependencies, 'approve', id, '--approved-by', 'George Finch')).code).toBe(0);
  expect((await run(dependencies, 'approve', id, '--approved-by', 'George Finch')).code).toBe(0);
  expect(await rows()).toMatchObject([
    { amount: 9_900, requested_by: null, approved_by: null },
    { amount: 200, status: 'succeeded', requested_by: 'Priya Shah', approved_by: 'George Finch' },
  ]);
  expect(await atProvider()).toHaveLength(2);
});

test('a refund that one person has approved counts towards their limit before the provider has made it', async () => {
  const { dependencies, run, paymentId, refund, rows } = await createPaidPayment({
    refundApprovalPence: 10_000,
  });
  const unavailable = () => Promise.reject(new ProviderUnavailable('crashed'));
  const cut = { ...dependencies, provider: { ...dependencies.provider, createRefund: unavailable } };
  await run(cut, paymentId, '--amount', '99', '--reason', 'x');
  expect(await rows()).toMatchObject([{ amount: 9_900, status: 'approved' }]);
  expect(await refund('--amount', '1.01')).toMatchObject({
    code: 1,
    text: expect.stringContaining('need two people'),
  });
  expect((await refund('--amount', '1.00')).code).toBe(0);
});

test('a refund that a second person approved leaves the limit of one person as it was', async () => {
  const { dependencies, run, refund } = await createPaidPayment({ refundApprovalPence: 10_000 });
  const { text } = await refund('--amount', '120', '--requested-by', 'Priya Shah');
  expect((await refund('--amount', '1.00')).code).toBe(0);
  await run(dependencies, 'approve', text.split(':')[0] ?? '', '--approved-by', 'George Finch');
  expect((await refund('--amount', '49.00')).code).toBe(0);
});

test('a rejected refund request is never made, and its money stays refundable', async () => {
  const { refund, run, dependencies, rows, atProvider, wait } = await createPaidPayment({
    refundApprovalPence: 0,
  });
  const by = ['--requested-by', 'Priya'];
  const { text } = await refund('--amount', '180', ...by);
  expect((await refund('--amount', '1', ...by)).text).toMatch(/^Only £0\.00 is left/);
  const id = text.split(':')[0] ?? '';
  expect((await run(dependencies, 'reject', id, '--reason', 'Wrong client')).code).toBe(0);
  wait(1_000);
  expect((await run(dependencies, 'approve', id, '--approved-by', 'George')).code).toBe(1);
  expect((await refund('--amount', '1', ...by)).text).toContain('waits for a second person');
  expect((await rows()).map(({ status }) => status)).toEqual(['rejected', 'awaiting_approval']);
  expect(await atProvider()).toEqual([]);
});

test('fault 76: a failed refund is reversed in the record and on the account, and the client is notified once', async () => {
  const { refund, dependencies, intents, intentId, query, wait, alerts, atProvider } =
    await createPaidPayment({}, '4000000000005126');
  await refund('--amount', '10', '--key', 'a');
  wait(1_000);
  await refund('--amount', '6', '--key', 'b');
  const [, second] = await atProvider();
  await intents.endRefund(second?.refundId ?? '', 'failed');
  await syncPaymentFromProvider(dependencies, intentId, { name: 'refund.failed', eventId: 'evt_1' });
  await syncPaymentFromProvider(dependencies, intentId, { name: 'refund.updated', eventId: 'evt_2' });
  expect(await query('select refunded_amount, failed_refund_amount from payments where id = $1')).toEqual([
    { refunded_amount: 1_000, failed_refund_amount: 600 },
  ]);
  expect(
    await query(
      "select money, provider_event_id from payment_changes where payment_id = $1 and refund_status = 'failed'",
    ),
  ).toEqual([{ money: 600, provider_event_id: 'evt_1' }]);
  expect(
    await query("select amount from payment_mails where payment_id = $1 and kind = 'refund_failed'"),
  ).toEqual([{ amount: 600 }]);
  expect(alerts.filter((message) => message.includes('refund failed'))).toHaveLength(1);
  // The money can be refunded again: the same command makes another refund, because the first one failed.
  wait(1_000);
  expect((await refund('--amount', '170')).code).toBe(0);
});

test('a refund with lost webhooks is found by its own date, months after the payment', async () => {
  const { dependencies, intents, intentId, rows, wait } = await createPaidPayment();
  await syncRefunds(dependencies);
  const month = 30 * 86_400_000;
  for (let months = 0; months < 9; months += 1) {
    wait(month);
    await syncRefunds(dependencies);
  }
  const made = await intents.refund(intentId, { amount: 600, reason: 'duplicate', idempotencyKey: intentId });
  await syncRefunds(dependencies);
  expect(await rows()).toMatchObject([{ amount: 600, status: 'succeeded', requested_by: null }]);
  wait(month);
  await intents.endRefund(made.id, 'failed');
  await syncRefunds(dependencies);
  expect(await rows()).toMatchObject([{ amount: 600, status: 'failed' }]);
});

test.each([
  [
    'is disputed',
    "dispute_status = 'open', dispute_amount = 100, dispute_opened_at = now()",
    /pay it back twice/,
  ],
  [
    'the payer’s bank asks about',
    "dispute_status = 'inquiry', dispute_amount = 100, dispute_opened_at = now()",
    /^The payer’s bank is asking about the payment/,
  ],
  [
    'the payer’s bank has taken back',
    "dispute_status = 'lost', dispute_amount = 100, dispute_opened_at = now()",
    /pay it back twice/,
  ],
  ['is under review', "review_reason = 'the amount is 1'", /^The payment is under review: the amount is 1\./],
])('does not refund a payment that %s', async (_what, change, reason) => {
  const { refund, query, atProvider } = await createPaidPayment();
  await query(`update payments set ${change} where id = $1`);
  expect(await refund('--amount', '6')).toMatchObject({ code: 1, text: expect.stringMatching(reason) });
  expect(await atProvider()).toEqual([]);
});

test('the database rejects a refund that goes back, is deleted, or is approved by the person who requested it', async () => {
  const { refund, query } = await createPaidPayment({ refundApprovalPence: 0 });
  await refund('--amount', '6', '--requested-by', 'Priya');
  const change = (set: string) => query(`update refunds set ${set} where payment_id = $1`);
  await expect(change("status = 'succeeded', provider_refund_id = 're_1'")).rejects.toThrow(
    /does not go from/,
  );
  await expect(change('amount = 700')).rejects.toThrow(/do not change/);
  await expect(change("approved_by = 'PRIYA '")).rejects.toThrow(/check/);
  await expect(query('delete from refunds where payment_id = $1')).rejects.toThrow();
});
