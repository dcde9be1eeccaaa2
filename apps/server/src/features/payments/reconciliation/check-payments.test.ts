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
import { createStripeProvider } from '../../../adapters/stripe/create-stripe-provider.ts';
import type { PaymentDependencies } from '../payment-dependencies.ts';
import { ProviderUnavailable } from '../ports.ts';
import { syncPaymentFromProvider } from '../provider/sync-payment.ts';
import { nextReceiptNumber } from '../records/receipt-numbers.ts';
import { checkPayments } from './check-payments.ts';
import { checkPaymentsHandler } from './check-payments-job.ts';
import { describeDifference } from './differences.ts';
import { type PaymentsCommand, paymentsCommand, runPaymentsCommand } from './payments-command.ts';

const testDatabase = withFreshTestDatabase();

/** Changes what nothing but a hand in the database could: without triggers and checks. */
async function plant(text: string, ...values: unknown[]) {
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

/** A paid search, an open one and one that was given up; all of it agrees. */
async function sound() {
  const world = createPaymentWorld(testDatabase);
  const begin = async () => {
    const { clientId, caseSearchId } = await buildCase(testDatabase.database);
    const begun = await startTestPayment(world.dependencies, { clientId, caseSearchId });
    return { clientId, caseSearchId, ...begun };
  };
  const [paid, open, ended] = [await begin(), await begin(), await begin()];
  await world.intents.confirm(paid.intentId, sandboxCard());
  await world.intents.cancel(ended.intentId);
  for (const { intentId } of [paid, open, ended]) {
    await syncPaymentFromProvider(world.dependencies, intentId, { name: 'test' });
  }
  return { ...world, paid, open, ended };
}
type Sound = Awaited<ReturnType<typeof sound>>;

const since = () => new Date(Date.now() - 86_400_000);
const check = (dependencies: PaymentDependencies) =>
  checkPayments(dependencies, { since: since(), settling: 0 });

test('where all agrees, nothing is found, and the command says so', async () => {
  const { dependencies } = await sound();
  expect((await check(dependencies)).differences).toEqual([]);
  const lines: string[] = [];
  const asked = { name: 'check', since: since(), json: false } as const;
  expect(await runPaymentsCommand(dependencies, asked, (line) => lines.push(line), 0)).toBe(0);
  expect(lines).toEqual([expect.stringMatching(/^All agrees: 3 payments and 3 intents since /)]);
});

/** Each kind of difference: how it comes about, and what it is found at. */
const planted: [string, (world: Sound) => Promise<unknown>, (world: Sound) => string][] = [
  [
    'record_differs',
    ({ paid }) => plant('update payments set amount = amount + 1 where id = $1', paid.paymentId),
    ({ paid }) => paid.paymentId,
  ],
  [
    'record_differs',
    ({ paid }) => plant('delete from payment_changes where payment_id = $1', paid.paymentId),
    ({ paid }) => paid.paymentId,
  ],
  [
    'search_not_paid',
    ({ paid }) =>
      plant("update case_searches set status = 'awaiting_payment' where id = $1", paid.caseSearchId),
    ({ paid }) => paid.caseSearchId,
  ],
  [
    'search_cancelled',
    ({ paid }) => plant("update case_searches set status = 'cancelled' where id = $1", paid.caseSearchId),
    ({ paid }) => paid.caseSearchId,
  ],
  [
    'paid_twice',
    ({ paid }) =>
      plant("update case_searches set paid_at = paid_at - interval '1 day' where id = $1", paid.caseSearchId),
    ({ paid }) => paid.caseSearchId,
  ],
  [
    'open_without_need',
    ({ open }) => plant("update case_searches set status = 'paid' where id = $1", open.caseSearchId),
    ({ open }) => open.caseSearchId,
  ],
  [
    'receipt_missing',
    ({ paid }) =>
      plant(
        "update payments set receipt_number = replace(receipt_number, '000001', '000002') where id = $1",
        paid.paymentId,
      ),
    () => `R-${new Date().getFullYear()}-000001`,
  ],
  [
    'receipt_not_counted',
    () => plant('update receipt_counters set last = 7'),
    () => String(new Date().getFullYear()),
  ],
  [
    'paid_without_receipt',
    ({ paid }) => plant('update payments set receipt_number = null where id = $1', paid.paymentId),
    ({ paid }) => paid.paymentId,
  ],
  [
    'left_open',
    ({ open }) =>
      plant("update payments set updated_at = now() - interval '2 days' where id = $1", open.paymentId),
    ({ open }) => open.paymentId,
  ],
  [
    'under_review',
    ({ open }) =>
      plant("update payments set review_reason = 'the amount is 1' where id = $1", open.paymentId),
    ({ open }) => open.paymentId,
  ],
  [
    'terms_differ',
    ({ open }) => plant('update sandbox_intents set amount = 1 where id = $1', open.intentId),
    ({ open }) => open.paymentId,
  ],
  [
    'taken_not_recorded',
    ({ open, intents }) => intents.confirm(open.intentId, sandboxCard()),
    ({ open }) => open.paymentId,
  ],
  [
    'recorded_not_taken',
    ({ paid }) => plant("update sandbox_intents set status = 'canceled' where id = $1", paid.intentId),
    ({ paid }) => paid.paymentId,
  ],
  [
    'open_at_provider',
    ({ ended }) =>
      plant("update sandbox_intents set status = 'requires_action' where id = $1", ended.intentId),
    ({ ended }) => ended.paymentId,
  ],
  ['ended_at_provider', ({ open, intents }) => intents.cancel(open.intentId), ({ open }) => open.paymentId],
  [
    'intent_without_payment',
    ({ open }) =>
      plant(
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
      plant(
        `insert into sandbox_intents (id, idempotency_key, client_secret, amount, currency, metadata, status)
         select 'pi_second', 'k', 's', amount, currency, metadata, status from sandbox_intents where id = $1`,
        paid.intentId,
      ),
    () => 'pi_second',
  ],
  [
    'payment_without_intent',
    ({ paid }) =>
      plant("update sandbox_intents set id = 'pi_gone', status = 'canceled' where id = $1", paid.intentId),
    ({ paid }) => paid.paymentId,
  ],
];

describe('a difference is found, with what to do', () => {
  test.each(planted)('%s', async (kind, make, subjectOf) => {
    const world = await sound();
    await make(world);
    const { differences } = await check(world.dependencies);
    const found = differences.find((difference) => difference.kind === kind);
    expect(found, JSON.stringify(differences)).toMatchObject({ kind, subject: subjectOf(world) });
    if (found) expect(describeDifference(found)).toMatch(/^\w+ \S+: .+\. To do: .+\.$/);
    const lines: string[] = [];
    const asked = parseCommand<PaymentsCommand>(
      (run) => paymentsCommand(() => new Date(), run),
      ['check', '--since', '3', '--json'],
    );
    expect(await runPaymentsCommand(world.dependencies, asked, (line) => lines.push(line), 0)).toBe(1);
    expect(JSON.parse(lines.join('\n')).differences).toContainEqual({
      ...found,
      to_do: expect.any(String),
    });
  });

  test.each([
    ['refund_differs', 'refund'],
    ['dispute_differs', 'dispute'],
  ] as const)('%s', async (kind, act) => {
    const simulator = await startStripeSimulator();
    try {
      const { provider, ...rest } = createPaymentWorld(testDatabase).dependencies;
      const atStripe = createStripeProvider({
        secretKey: 'rk_test_1',
        publishableKey: 'pk_test_1',
        webhookSecrets: ['whsec_1'],
        apiBase: simulator.url,
      });
      const dependencies = { ...rest, provider: atStripe, formerProvider: provider };
      const { clientId, caseSearchId } = await buildCase(testDatabase.database);
      const { paymentId, intentId } = await startTestPayment(dependencies, { clientId, caseSearchId });
      simulator.intents.confirm(intentId, 'pm_card_visa');
      await syncPaymentFromProvider(dependencies, intentId, { name: 'test' });
      expect((await check(dependencies)).differences).toEqual([]);
      simulator.intents[act](intentId, 100);
      expect((await check(dependencies)).differences).toMatchObject([{ kind, subject: paymentId }]);
      await syncPaymentFromProvider(dependencies, intentId, { name: 'test' });
      expect((await check(dependencies)).differences).toEqual([]);
    } finally {
      await simulator.stop();
    }
  });
});

test('what settles between the two looks is no difference', async () => {
  const { dependencies, intents, open } = await sound();
  await intents.confirm(open.intentId, sandboxCard());
  let looks = 0;
  const settling: PaymentDependencies = {
    ...dependencies,
    provider: {
      ...dependencies.provider,
      listIntents: async (from) => {
        looks += 1;
        if (looks === 2) await syncPaymentFromProvider(dependencies, open.intentId, { name: 'test' });
        return dependencies.provider.listIntents(from);
      },
    },
  };
  expect((await check(settling)).differences).toEqual([]);
  expect(looks).toBe(2);
});

test('a payment that is made while the check reads is no difference', async () => {
  const { dependencies, open } = await sound();
  let checking = Promise.resolve({ differences: [] as unknown[] });
  await testDatabase.database.transaction(async (paying) => {
    await paying.execute(sql`lock table receipt_counters in access exclusive mode`);
    checking = check(dependencies);
    await expect.poll(lockWaits).toBe(1);
    const paidAt = new Date();
    await paying.execute(sql`update case_searches set status = 'paid', paid_at = ${paidAt.toISOString()}
      where id = ${open.caseSearchId}`);
    await paying.execute(sql`update payments set status = 'succeeded', paid_at = ${paidAt.toISOString()},
      receipt_number = ${await nextReceiptNumber(paying, 2026)} where id = ${open.paymentId}`);
  });
  expect((await checking).differences).toEqual([]);
});
const lockWaits = async () =>
  (
    await testDatabase.pool.query(
      "select count(*)::int as waiting from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
    )
  ).rows[0].waiting;

test('a provider that cannot be asked is no agreement', async () => {
  const { dependencies } = await sound();
  const cut = {
    ...dependencies,
    provider: {
      ...dependencies.provider,
      listIntents: async () => {
        throw new ProviderUnavailable('away');
      },
    },
  };
  const asked = { name: 'check', since: since(), json: false } as const;
  const lines: string[] = [];
  expect(await runPaymentsCommand(cut, asked, (line) => lines.push(line), 0)).toBe(2);
  expect(lines).toEqual(['The payment provider cannot be asked at the moment.']);
});

test('the check of every hour tells a person of what differs, and of nothing else', async () => {
  const { dependencies, alerts, open } = await sound();
  const job = checkPaymentsHandler(dependencies, { settling: 0 });
  expect(job.schedule).toBe('7 * * * *');
  await job.work({});
  expect(alerts).toEqual([]);
  await plant("update case_searches set status = 'paid' where id = $1", open.caseSearchId);
  await job.work({});
  expect(alerts).toEqual(['the payments do not agree: run "keyturn payments check"']);
});
