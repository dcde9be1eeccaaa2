import {
  buildCase,
  createPaymentWorld,
  parseCommand,
  sandboxCard,
  startTestPayment,
  withTestDatabase,
} from '@keyturn/testkit';
import { expect, test } from 'vitest';
import { approveAsMember, refundAsMember } from '../../testing/refund-as-member.ts';
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
    request: (...args: string[]) =>
      run(dependencies, paymentId, '--reason', 'Search not needed', '--requested-by', 'Priya Shah', ...args),
    /** Refunds at the desk. @param pounds of the payment */
    refund: (pounds: number, change: { key?: string; by?: PaymentDependencies; member?: string } = {}) => {
      const { by = dependencies, ...more } = change;
      return refundAsMember(by, { paymentId, amount: Math.round(pounds * 100), ...more });
    },
    rows: () =>
      query(
        'select amount, status, requested_by, approved_by from refunds where payment_id = $1 order by created_at, amount desc',
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
  expect(await refund(6)).toMatchObject({ amount: 600, status: 'succeeded' });
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

test('a command requests a refund, which a member of finance approves at the desk', async () => {
  const { request, run, dependencies, rows, alerts, atProvider } = await createPaidPayment();
  expect((await run(dependencies, 'list')).text).toBe('No refund waits for approval.');
  const { code, text } = await request('--amount', '6.00');
  expect({ code, text }).toEqual({
    code: 0,
    text: expect.stringMatching(
      /: the refund of £6\.00 waits for a member of finance, who approves it at the desk\.$/,
    ),
  });
  expect(alerts).toContain('a refund waits for a second person');
  expect(await atProvider()).toEqual([]);
  const [id = ''] = text.split(':');
  expect((await run(dependencies, 'list')).text).toMatch(
    new RegExp(`^${id}: £6\\.00, requested by Priya Shah at \\S+Z$`),
  );
  await expect(approveAsMember(dependencies, id, ' priya  shah')).rejects.toThrow(
    'another person has to approve it',
  );
  await approveAsMember(dependencies, id);
  expect(await rows()).toMatchObject([
    { amount: 600, status: 'succeeded', requested_by: 'Priya Shah', approved_by: 'Dana Price' },
  ]);
});

test('no command approves a refund', async () => {
  const { request, run, dependencies } = await createPaidPayment();
  const [id = ''] = (await request('--amount', '6.00')).text.split(':');
  await expect(run(dependencies, 'approve', id, '--approved-by', 'George Finch')).rejects.toThrow();
});

test('a repeated request makes no second refund, unless it has another key', async () => {
  const { request, refund, rows, atProvider } = await createPaidPayment();
  await request('--amount', '6');
  expect((await request('--amount', '6.00')).text).toContain('An earlier command requested this refund');
  expect(await rows()).toHaveLength(1);
  await Promise.all([refund(6, { key: 'b' }), refund(6, { key: 'b' })]);
  expect(await atProvider()).toHaveLength(1);
  await expect(refund(7, { key: 'b' })).rejects.toThrow('belongs to a refund of £6.00');
});

test.each([
  ['after', 1],
  ['before', 0],
] as const)(
  'a refund that crashes %s the provider was called is continued, with one refund',
  async (when, made) => {
    const { dependencies, refund, atProvider, rows } = await createPaidPayment();
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
    await expect(refund(6, { by: cut })).rejects.toThrow(ProviderUnavailable);
    expect(await atProvider()).toHaveLength(made);
    expect(await rows()).toMatchObject([{ status: 'approved' }]);
    await refund(6);
    expect(await atProvider()).toHaveLength(1);
    expect(await rows()).toMatchObject([{ status: 'succeeded' }]);
  },
);

test('finds a refund that reached the provider, even after its idempotency key has expired', async () => {
  const { dependencies, run, refund: refundBy, atProvider, rows, query } = await createPaidPayment();
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
  await expect(refundBy(6, { by: cut })).rejects.toThrow(ProviderUnavailable);
  await testDatabase.pool.query("update sandbox_refunds set idempotency_key = 'forgotten ' || id");
  const [refund] = await query('select id from refunds where payment_id = $1');
  expect((await run(dependencies, 'submit', refund.id)).code).toBe(0);
  expect(await atProvider()).toHaveLength(1);
  expect(await rows()).toMatchObject([{ amount: 600, status: 'succeeded' }]);
});

test('the periodic check submits a refund that was interrupted', async () => {
  const { dependencies, refund, atProvider, rows, wait } = await createPaidPayment();
  const unavailable = () => Promise.reject(new ProviderUnavailable('crashed'));
  const cut = { ...dependencies, provider: { ...dependencies.provider, createRefund: unavailable } };
  await expect(refund(6, { by: cut })).rejects.toThrow(ProviderUnavailable);
  wait(120_000);
  await syncRefunds(dependencies);
  expect(await atProvider()).toHaveLength(1);
  expect(await rows()).toMatchObject([{ status: 'succeeded' }]);
});

test('never refunds more than the rest, even with concurrent requests and refunds made at the provider', async () => {
  const { refund, intents, intentId, atProvider } = await createPaidPayment();
  await intents.refund(intentId, { amount: 2_000, reason: 'duplicate', idempotencyKey: intentId });
  const results = await Promise.allSettled(['a', 'b', 'c'].map((key) => refund(100, { key })));
  const rejected = results.flatMap((result) => (result.status === 'rejected' ? [String(result.reason)] : []));
  expect(rejected).toHaveLength(2);
  expect(rejected[0]).toMatch(/Only £60\.00 is left: of £180\.00 paid/);
  const amounts = (await atProvider()).map(({ amount }) => amount);
  expect(amounts.toSorted((one, other) => one - other)).toEqual([2_000, 10_000]);
});

test('refunds above the limit need two different people, even as the sum of several refunds', async () => {
  const { refund, dependencies, rows, alerts, atProvider } = await createPaidPayment({
    refundApprovalPence: 10_000,
  });
  await refund(99);
  const { id, status } = await refund(2);
  expect(status).toBe('awaiting_approval');
  expect(alerts).toContain('a refund waits for a second person');
  expect(await atProvider()).toHaveLength(1);
  await expect(approveAsMember(dependencies, id, 'Joel Adeyemi')).rejects.toThrow(
    'another person has to approve it',
  );
  await approveAsMember(dependencies, id);
  await approveAsMember(dependencies, id);
  expect(await rows()).toMatchObject([
    { amount: 9_900, requested_by: 'Joel Adeyemi', approved_by: null },
    { amount: 200, status: 'succeeded', requested_by: 'Joel Adeyemi', approved_by: 'Dana Price' },
  ]);
  expect(await atProvider()).toHaveLength(2);
});

test('a refund that one person has approved counts towards their limit before the provider has made it', async () => {
  const { dependencies, refund, rows } = await createPaidPayment({ refundApprovalPence: 10_000 });
  const unavailable = () => Promise.reject(new ProviderUnavailable('crashed'));
  const cut = { ...dependencies, provider: { ...dependencies.provider, createRefund: unavailable } };
  await expect(refund(99, { by: cut })).rejects.toThrow(ProviderUnavailable);
  expect(await rows()).toMatchObject([{ amount: 9_900, status: 'approved' }]);
  expect((await refund(1.01)).status).toBe('awaiting_approval');
  expect((await refund(1)).status).toBe('succeeded');
});

test('a refund that a second person approved leaves the limit of one person as it was', async () => {
  const { dependencies, refund } = await createPaidPayment({ refundApprovalPence: 10_000 });
  const { id } = await refund(120);
  expect((await refund(1)).status).toBe('succeeded');
  await approveAsMember(dependencies, id);
  expect((await refund(49)).status).toBe('succeeded');
});

test('a rejected refund request is never made, and its money stays refundable', async () => {
  const { request, run, dependencies, rows, atProvider, wait } = await createPaidPayment();
  const { text } = await request('--amount', '180');
  expect((await request('--amount', '1')).text).toMatch(/^Only £0\.00 is left/);
  const id = text.split(':')[0] ?? '';
  expect((await run(dependencies, 'reject', id, '--reason', 'Wrong client')).code).toBe(0);
  wait(1_000);
  await expect(approveAsMember(dependencies, id)).rejects.toThrow('does not wait for approval');
  expect((await request('--amount', '1')).text).toContain('waits for a member of finance');
  expect((await rows()).map(({ status }) => status)).toEqual(['rejected', 'awaiting_approval']);
  expect(await atProvider()).toEqual([]);
});

test('fault 76: a failed refund is reversed in the record and on the account, and the client is notified once', async () => {
  const { refund, dependencies, intents, intentId, query, wait, alerts, atProvider } =
    await createPaidPayment({}, '4000000000005126');
  await refund(10, { key: 'a' });
  wait(1_000);
  await refund(6, { key: 'b' });
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
  // The money can be refunded again.
  wait(1_000);
  expect((await refund(170)).status).toBe('succeeded');
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
    /The payer’s bank is asking about the payment/,
  ],
  [
    'the payer’s bank has taken back',
    "dispute_status = 'lost', dispute_amount = 100, dispute_opened_at = now()",
    /pay it back twice/,
  ],
  ['is under review', "review_reason = 'the amount is 1'", /The payment is under review: the amount is 1\./],
])('does not refund a payment that %s', async (_what, change, reason) => {
  const { refund, query, atProvider } = await createPaidPayment();
  await query(`update payments set ${change} where id = $1`);
  await expect(refund(6)).rejects.toThrow(reason);
  expect(await atProvider()).toEqual([]);
});

test('the database rejects a refund that goes back, is deleted, or is approved by the person who requested it', async () => {
  const { request, query } = await createPaidPayment();
  await request('--amount', '6');
  const change = (set: string) => query(`update refunds set ${set} where payment_id = $1`);
  await expect(change("status = 'succeeded', provider_refund_id = 're_1'")).rejects.toThrow(
    /does not go from/,
  );
  await expect(change('amount = 700')).rejects.toThrow(/do not change/);
  await expect(change("approved_by = 'PRIYA SHAH '")).rejects.toThrow(/check/);
  await expect(query('delete from refunds where payment_id = $1')).rejects.toThrow();
});
