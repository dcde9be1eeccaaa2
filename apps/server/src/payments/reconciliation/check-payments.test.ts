import { randomUUID } from 'node:crypto';
import {
  buildCase,
  createPaymentWorld,
  parseCommand,
  sandboxCard,
  startStripeSimulator,
  startTestPayment,
  withFreshTestDatabase,
} from '@keyturn/testkit';
import { sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { createStripeProvider } from '../../adapters/stripe/create-stripe-provider.ts';
import { syncPaymentFromProvider } from '../intents/sync-payment.ts';
import type { PaymentDependencies } from '../payment-dependencies.ts';
import { ProviderUnavailable } from '../ports/provider.ts';
import { describeDiscrepancy } from '../records/discrepancies.ts';
import { nextReceiptNumber } from '../records/receipt-numbers.ts';
import { checkPayments } from './check-payments.ts';
import { checkPaymentsHandler } from './check-payments-job.ts';
import { type PaymentsCommand, paymentsCommand, runPaymentsCommand } from './payments-command.ts';

const testDatabase = withFreshTestDatabase();

/** Changes the database as a person with access to it could: without triggers and checks. */
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

/** A paid search payment, an open one and a cancelled one, without any discrepancy. */
async function createConsistentPayments() {
  const world = createPaymentWorld(testDatabase);
  const start = async () => {
    const { clientId, caseSearchId } = await buildCase(testDatabase.database);
    const payment = await startTestPayment(world.dependencies, { clientId, caseSearchId });
    return { clientId, caseSearchId, ...payment };
  };
  const [paid, open, cancelled] = [await start(), await start(), await start()];
  await world.intents.confirm(paid.intentId, sandboxCard());
  await world.intents.cancel(cancelled.intentId);
  for (const { intentId } of [paid, open, cancelled]) {
    await syncPaymentFromProvider(world.dependencies, intentId, { name: 'test' });
  }
  return { ...world, paid, open, cancelled };
}
type ConsistentPayments = Awaited<ReturnType<typeof createConsistentPayments>>;

const since = () => new Date(Date.now() - 86_400_000);
const check = (dependencies: PaymentDependencies) =>
  checkPayments(dependencies, { since: since(), recheckDelay: 0 });

test('payments check finds no discrepancies in consistent payments and exits with 0', async () => {
  const { dependencies } = await createConsistentPayments();
  expect((await check(dependencies)).discrepancies).toEqual([]);
  const lines: string[] = [];
  const command = { name: 'check', since: since(), json: false } as const;
  expect(await runPaymentsCommand(dependencies, command, (line) => lines.push(line), 0)).toBe(0);
  expect(lines).toEqual([expect.stringMatching(/^No discrepancies found: 3 payments and 3 intents since /)]);
});

test('payments check and payments review name the method of each payment', async () => {
  const { dependencies, paid, open } = await createConsistentPayments();
  await tamper(
    "update payments set method = 'bank', card_brand = null, card_last4 = null where id = any($1)",
    [paid.paymentId, open.paymentId],
  );
  await tamper(
    "update case_searches set paid_at = paid_at - interval '1 day' where id = $1",
    paid.caseSearchId,
  );
  await tamper("update payments set review_reason = 'the amount is 1' where id = $1", open.paymentId);
  const found = (await check(dependencies)).discrepancies.map((discrepancy) => discrepancy.found);
  expect(found).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/ was paid in another way, and also by bank with payment /),
      'the payment by bank needs manual review: the amount is 1',
    ]),
  );
  expect(found.join(' ')).not.toMatch(/card/);
  const lines: string[] = [];
  await runPaymentsCommand(dependencies, { name: 'review' }, (line) => lines.push(line));
  expect(lines).toEqual([
    expect.stringMatching(/ The payment is requires_payment_method: £\S+ by bank for /),
  ]);
});

/** Each kind of discrepancy with a change that causes it and the subject of the report. */
const causes: [
  kind: string,
  cause: (world: ConsistentPayments) => Promise<unknown>,
  subjectOf: (world: ConsistentPayments) => string,
][] = [
  [
    'ledger_mismatch',
    ({ paid }) => tamper('update payments set amount = amount + 1 where id = $1', paid.paymentId),
    ({ paid }) => paid.paymentId,
  ],
  [
    'ledger_mismatch',
    ({ paid }) => tamper('delete from payment_changes where payment_id = $1', paid.paymentId),
    ({ paid }) => paid.paymentId,
  ],
  [
    'search_not_paid',
    ({ paid }) =>
      tamper("update case_searches set status = 'awaiting_payment' where id = $1", paid.caseSearchId),
    ({ paid }) => paid.caseSearchId,
  ],
  [
    'search_cancelled',
    ({ paid }) => tamper("update case_searches set status = 'cancelled' where id = $1", paid.caseSearchId),
    ({ paid }) => paid.caseSearchId,
  ],
  [
    'paid_twice',
    ({ paid }) =>
      tamper(
        "update case_searches set paid_at = paid_at - interval '1 day' where id = $1",
        paid.caseSearchId,
      ),
    ({ paid }) => paid.caseSearchId,
  ],
  [
    'no_longer_needed',
    ({ open }) => tamper("update case_searches set status = 'paid' where id = $1", open.caseSearchId),
    ({ open }) => open.caseSearchId,
  ],
  [
    'receipt_number_missing',
    ({ paid }) =>
      tamper(
        "update payments set receipt_number = replace(receipt_number, '000001', '000002') where id = $1",
        paid.paymentId,
      ),
    () => `R-${new Date().getFullYear()}-000001`,
  ],
  [
    'receipt_counter_wrong',
    () => tamper('update receipt_counters set last = 7'),
    () => String(new Date().getFullYear()),
  ],
  [
    'paid_without_receipt',
    ({ paid }) => tamper('update payments set receipt_number = null where id = $1', paid.paymentId),
    ({ paid }) => paid.paymentId,
  ],
  [
    'open_too_long',
    ({ open }) =>
      tamper("update payments set updated_at = now() - interval '2 days' where id = $1", open.paymentId),
    ({ open }) => open.paymentId,
  ],
  [
    'under_review',
    ({ open }) =>
      tamper("update payments set review_reason = 'the amount is 1' where id = $1", open.paymentId),
    ({ open }) => open.paymentId,
  ],
  [
    'terms_mismatch',
    ({ open }) => tamper('update sandbox_intents set amount = 1 where id = $1', open.intentId),
    ({ open }) => open.paymentId,
  ],
  [
    'captured_not_recorded',
    ({ open, intents }) => intents.confirm(open.intentId, sandboxCard()),
    ({ open }) => open.paymentId,
  ],
  [
    'recorded_not_captured',
    ({ paid }) => tamper("update sandbox_intents set status = 'canceled' where id = $1", paid.intentId),
    ({ paid }) => paid.paymentId,
  ],
  [
    'open_at_provider',
    ({ cancelled }) =>
      tamper("update sandbox_intents set status = 'requires_action' where id = $1", cancelled.intentId),
    ({ cancelled }) => cancelled.paymentId,
  ],
  [
    'cancelled_at_provider',
    ({ open, intents }) => intents.cancel(open.intentId),
    ({ open }) => open.paymentId,
  ],
  [
    'intent_without_payment',
    ({ open }) =>
      tamper(
        `insert into sandbox_intents (id, idempotency_key, client_secret, amount, currency, metadata, status)
         select 'pi_lost', 'k', 's', amount, currency, jsonb_build_object('payment_id', $2::text), status
         from sandbox_intents where id = $1`,
        open.intentId,
        randomUUID(),
      ),
    () => 'pi_lost',
  ],
  [
    'second_intent',
    ({ paid }) =>
      tamper(
        `insert into sandbox_intents (id, idempotency_key, client_secret, amount, currency, metadata, status)
         select 'pi_second', 'k', 's', amount, currency, metadata, status from sandbox_intents where id = $1`,
        paid.intentId,
      ),
    () => 'pi_second',
  ],
  [
    'payment_without_intent',
    ({ paid }) =>
      tamper("update sandbox_intents set id = 'pi_gone', status = 'canceled' where id = $1", paid.intentId),
    ({ paid }) => paid.paymentId,
  ],
];

describe('payments check', () => {
  test.each(causes)('payments check reports %s with its fix', async (kind, cause, subjectOf) => {
    const world = await createConsistentPayments();
    await cause(world);
    const { discrepancies } = await check(world.dependencies);
    const found = discrepancies.find((discrepancy) => discrepancy.kind === kind);
    expect(found, JSON.stringify(discrepancies)).toMatchObject({ kind, subject: subjectOf(world) });
    if (found) expect(describeDiscrepancy(found)).toMatch(/^\w+ \S+: .+\. Fix: .+\.$/);
    const lines: string[] = [];
    const command = parseCommand<PaymentsCommand>(
      (run) => paymentsCommand(() => new Date(), run),
      ['check', '--since', '3', '--json'],
    );
    expect(await runPaymentsCommand(world.dependencies, command, (line) => lines.push(line), 0)).toBe(1);
    expect(JSON.parse(lines.join('\n')).discrepancies).toContainEqual({
      ...found,
      fix: expect.any(String),
    });
  });

  test.each([
    ['refund_not_recorded', 'refund'],
    ['dispute_mismatch', 'dispute'],
  ] as const)('reports %s until the payment is synced from Stripe', async (kind, action) => {
    const simulator = await startStripeSimulator();
    try {
      const { provider, ...rest } = createPaymentWorld(testDatabase).dependencies;
      const atStripe = createStripeProvider({
        secretKey: 'rk_test_1',
        publishableKey: 'pk_test_1',
        webhookSecrets: ['whsec_1'],
        apiBase: simulator.url,
      });
      const dependencies = {
        ...rest,
        provider: atStripe,
        providers: { active: [], former: [provider] },
      };
      const { clientId, caseSearchId } = await buildCase(testDatabase.database);
      const { paymentId, intentId } = await startTestPayment(dependencies, { clientId, caseSearchId });
      simulator.intents.confirm(intentId, 'pm_card_visa');
      await syncPaymentFromProvider(dependencies, intentId, { name: 'test' });
      expect((await check(dependencies)).discrepancies).toEqual([]);
      simulator.intents[action](intentId, 100);
      expect((await check(dependencies)).discrepancies).toMatchObject([{ kind, subject: paymentId }]);
      await syncPaymentFromProvider(dependencies, intentId, { name: 'test' });
      expect((await check(dependencies)).discrepancies).toEqual([]);
    } finally {
      await simulator.stop();
    }
  });
});

test('payments check does not report differences that disappear between its two comparisons', async () => {
  const { dependencies, intents, open } = await createConsistentPayments();
  await intents.confirm(open.intentId, sandboxCard());
  let comparisons = 0;
  const settlingMeanwhile: PaymentDependencies = {
    ...dependencies,
    provider: {
      ...dependencies.provider,
      listIntents: async (from) => {
        comparisons += 1;
        if (comparisons === 2) await syncPaymentFromProvider(dependencies, open.intentId, { name: 'test' });
        return dependencies.provider.listIntents(from);
      },
    },
  };
  expect((await check(settlingMeanwhile)).discrepancies).toEqual([]);
  expect(comparisons).toBe(2);
});

test('payments check does not report a payment that is made during the check', async () => {
  const { dependencies, open } = await createConsistentPayments();
  let checking = Promise.resolve({ discrepancies: [] as unknown[] });
  await testDatabase.database.transaction(async (transaction) => {
    await transaction.execute(sql`lock table receipt_counters in access exclusive mode`);
    checking = check(dependencies);
    await expect.poll(countLockWaits).toBe(1);
    const paidAt = new Date();
    await transaction.execute(sql`update case_searches set status = 'paid', paid_at = ${paidAt.toISOString()}
      where id = ${open.caseSearchId}`);
    await transaction.execute(sql`update payments set status = 'succeeded', paid_at = ${paidAt.toISOString()},
      receipt_number = ${await nextReceiptNumber(transaction, 2026)} where id = ${open.paymentId}`);
  });
  expect((await checking).discrepancies).toEqual([]);
});
const countLockWaits = async () =>
  (
    await testDatabase.pool.query(
      "select count(*)::int as waiting from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
    )
  ).rows[0].waiting;

test('payments check exits with 2 when the provider is unavailable', async () => {
  const { dependencies } = await createConsistentPayments();
  const unavailable = {
    ...dependencies,
    provider: {
      ...dependencies.provider,
      listIntents: async () => {
        throw new ProviderUnavailable('no answer');
      },
    },
  };
  const command = { name: 'check', since: since(), json: false } as const;
  const lines: string[] = [];
  expect(await runPaymentsCommand(unavailable, command, (line) => lines.push(line), 0)).toBe(2);
  expect(lines).toEqual(['The payment provider is unavailable. Try again later.']);
});

test('the hourly check alerts the operator only when it finds discrepancies', async () => {
  const { dependencies, alerts, open } = await createConsistentPayments();
  const job = checkPaymentsHandler(dependencies, { recheckDelay: 0 });
  expect(job.schedule).toBe('7 * * * *');
  await job.work({});
  expect(alerts).toEqual([]);
  await tamper("update case_searches set status = 'paid' where id = $1", open.caseSearchId);
  await job.work({});
  expect(alerts).toEqual(['payments have discrepancies: run "keyturn payments check"']);
});

test('payments check compares more intents than a statement can have parameters', async () => {
  const { dependencies } = await createConsistentPayments();
  const [listed] = await dependencies.provider.listIntents(since());
  if (!listed) throw new Error('no intent was listed');
  const others = Array.from({ length: 70_000 }, (_, index) => ({
    ...listed,
    intentId: `pi_${index}`,
    paymentId: randomUUID(),
    status: 'cancelled' as const,
  }));
  const provider = {
    ...dependencies.provider,
    listIntents: async (from: Date) => [...(await dependencies.provider.listIntents(from)), ...others],
  };
  const report = await check({ ...dependencies, provider });
  expect(report).toMatchObject({ payments: 3, intents: 70_003, discrepancies: [] });
});

test('payments check reports money that has not cleared after two weeks until it clears', async () => {
  const { dependencies, paid } = await createConsistentPayments();
  await tamper("update payments set paid_at = now() - interval '15 days' where id = $1", paid.paymentId);
  await tamper(
    'update case_searches set paid_at = (select paid_at from payments where id = $1) where id = $2',
    paid.paymentId,
    paid.caseSearchId,
  );
  expect((await check(dependencies)).discrepancies).toMatchObject([
    { kind: 'not_cleared', subject: paid.paymentId },
  ]);
  await tamper('update payments set cleared_at = now() where id = $1', paid.paymentId);
  expect((await check(dependencies)).discrepancies).toEqual([]);
});
