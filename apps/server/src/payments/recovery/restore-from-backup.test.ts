import {
  buildCase,
  buildFirm,
  createTestDatabase,
  intentOf,
  type TestDatabase,
  withBackup,
} from '@keyturn/testkit';
import { expect, test } from 'vitest';
import { checkDisputes } from '../disputes/check-disputes-job.ts';
import { checkPayments } from '../reconciliation/check-payments.ts';

const world = withBackup();
const { copyOf, start, stop, call, startSearch, deliver, pay, paidPayments, captured, command } = world;

test('fault 74: a restored backup accepts no payment until the recovery has restored the payments made since', {
  timeout: 120_000,
}, async () => {
  const today = await copyOf(world.yesterday);
  const before = await start(today);
  await pay(before, world.cases.search);
  const other = await call(before, world.cases.other, '/other-payments', {
    category: 'money_on_account',
    amount: 5_000,
    own_card: true,
  });
  await pay(before, world.cases.other, other.data);
  const unpaid = intentOf((await startSearch(before, world.cases.open)).data.client_secret);
  const [earlier] = captured();
  world.simulator.intents.refund(earlier?.id ?? '', 1_000);
  await deliver(before);
  await stop(before);
  const recorded = await paidPayments(today);
  expect(recorded).toHaveLength(3);

  const restored = await copyOf(world.yesterday);
  const server = await start(restored);
  expect(await startSearch(server, world.cases.search)).toMatchObject({
    code: 'payments_paused',
    message: expect.stringContaining('please don’t pay again'),
  });
  expect(await startSearch(server, world.cases.untouched)).toMatchObject({ code: 'payments_paused' });
  expect(captured()).toHaveLength(3);
  const check = await command(restored, { dryRun: true });
  expect(check.exitCode).toBe(1);
  expect(check.lines.join('\n')).toMatch(/would be recovered as succeeded/);
  expect(await paidPayments(restored)).toHaveLength(1);

  const { exitCode, lines, dependencies } = await command(restored, { dryRun: false });
  expect(lines.at(-1)).toBe('Payments are accepted.');
  expect(exitCode).toBe(0);
  expect(await paidPayments(restored)).toEqual(recorded);
  expect(world.simulator.intents.find(unpaid).status).toBe('canceled');
  expect(await startSearch(server, world.cases.search)).toMatchObject({ code: 'already_paid' });
  const last = await pay(server, world.cases.untouched);
  expect(world.simulator.intents.find(last).metadata.receipt_number).toMatch(/-000004$/);
  expect(captured()).toHaveLength(4);
  const since = new Date(Date.now() - 3_600_000);
  expect((await checkPayments(dependencies, { since, recheckDelay: 0 })).discrepancies).toEqual([]);
  expect((await command(restored, { dryRun: false })).lines[0]).toMatch(/^Nothing is missing since /);
});

test('fault 74: a payment with a card that is faster than the recovery’s cancellation is recovered', async () => {
  const today = await copyOf(world.yesterday);
  const before = await start(today);
  await pay(before, world.cases.search);
  const unpaid = intentOf((await startSearch(before, world.cases.open)).data.client_secret);
  await stop(before);

  const restored = await copyOf(world.yesterday);
  const beforeCancelling = (intentId: string) => world.simulator.intents.confirm(intentId, 'pm_card_visa');
  expect((await command(restored, { dryRun: false, beforeCancelling })).exitCode).toBe(0);
  expect(world.simulator.intents.find(unpaid).status).toBe('succeeded');
  expect(await paidPayments(restored)).toMatchObject([
    { case_search_id: world.cases.earlier.caseSearchId },
    { case_search_id: world.cases.search.caseSearchId },
    { case_search_id: world.cases.open.caseSearchId, receipt_number: expect.stringMatching(/-000003$/) },
  ]);
});

test('fault 74: an open intent without a confirmation in the backup is cancelled, because a client may have confirmed it since', async () => {
  const backup = await copyOf(world.yesterday);
  const before = await start(backup);
  await call(before, world.cases.open, `/case-searches/${world.cases.open.caseSearchId}/payments`, {});
  await stop(before);
  await backup.close();
  const unconfirmed = world.simulator.intents.all().find(({ status }) => status !== 'succeeded')?.id ?? '';
  const today = await start(await copyOf(backup));
  expect(intentOf((await startSearch(today, world.cases.open)).data.client_secret)).toBe(unconfirmed);
  await pay(today, world.cases.search);
  await stop(today);

  const restored = await copyOf(backup);
  expect((await command(restored, { dryRun: false })).exitCode).toBe(0);
  expect(world.simulator.intents.find(unconfirmed).status).toBe('canceled');
});

test('fault 74: a payment that was started long before the backup and paid after it is recovered', async () => {
  const backup = await copyOf(world.yesterday);
  const before = await start(backup);
  const started = (await startSearch(before, world.cases.open)).data;
  await stop(before);
  await backup.pool.query(
    "update payments set created_at = created_at - interval '1 day' where paid_at is null",
  );
  world.simulator.intents.find(intentOf(started.client_secret)).created -= 86_400;
  await backup.close();
  const today = await copyOf(backup);
  const server = await start(today);
  await pay(server, world.cases.search);
  await pay(server, world.cases.open, started);
  await stop(server);
  const recorded = await paidPayments(today);
  expect(recorded).toHaveLength(3);

  const restored = await copyOf(backup);
  expect((await command(restored, { dryRun: false })).exitCode).toBe(0);
  expect(await paidPayments(restored)).toEqual(recorded);
});

test('fault 74: webhooks after a restore wait for the recovery, so that no receipt number is issued twice', {
  timeout: 120_000,
}, async () => {
  const today = await copyOf(world.yesterday);
  const before = await start(today);
  await pay(before, world.cases.search);
  const late = intentOf((await startSearch(before, world.cases.open)).data.client_secret);
  await stop(before);
  const [, known] = await paidPayments(today);

  const restored = await copyOf(world.yesterday);
  const server = await start(restored);
  expect(await startSearch(server, world.cases.search)).toMatchObject({ code: 'payments_paused' });
  world.simulator.intents.confirm(late, 'pm_card_visa');
  await deliver(server);
  expect(await paidPayments(restored)).toHaveLength(1);
  expect((await command(restored, { dryRun: false })).exitCode).toBe(0);
  const numbers = (await paidPayments(restored)).map(({ id, receipt_number }) => [id, receipt_number]);
  expect(numbers).toContainEqual([known.id, known.receipt_number]);
  expect(new Set(numbers.map(([, number]) => number)).size).toBe(3);
});

test('fault 74: a fraud warning that is looked up before the recovery is recorded after it', {
  timeout: 120_000,
}, async () => {
  const today = await copyOf(world.yesterday);
  const before = await start(today);
  const intentId = await pay(before, world.cases.search);
  await stop(before);
  const restored = await copyOf(world.yesterday);
  const charge = world.simulator.intents.find(intentId).latest_charge ?? '';
  const warnings = async () => (await restored.pool.query('select 1 from early_fraud_warnings')).rowCount;
  world.simulator.earlyFraudWarnings.warn(charge);
  const { dependencies } = await command(restored, { dryRun: true });
  await checkDisputes(dependencies);
  expect(await warnings()).toBe(0);
  expect((await command(restored, { dryRun: false })).exitCode).toBe(0);
  await checkDisputes(dependencies);
  expect(await warnings()).toBe(1);
});

test('fault 74: payments with reordered webhooks get their own receipt numbers back', {
  timeout: 120_000,
}, async () => {
  const today = await copyOf(world.yesterday);
  const before = await start(today);
  await pay(before, world.cases.search);
  const last = await pay(before, world.cases.open);
  await stop(before);
  const charge = world.simulator.charges.find(String(world.simulator.intents.find(last).latest_charge));
  charge.created -= 120;
  const recorded = await paidPayments(today);
  expect(recorded.at(-1)).toMatchObject({ case_search_id: world.cases.open.caseSearchId });

  const restored = await copyOf(world.yesterday);
  expect((await command(restored, { dryRun: false })).exitCode).toBe(0);
  expect(await paidPayments(restored)).toEqual(recorded);
});

test('fault 74: refunds and disputes from after the backup are recovered, each as its own row', {
  timeout: 120_000,
}, async () => {
  const today = await copyOf(world.yesterday);
  const before = await start(today);
  const [earlier] = captured();
  const disputed = await pay(before, world.cases.search);
  world.simulator.refunds.create({ payment_intent: earlier?.id ?? '', amount: 600, reason: 'duplicate' });
  world.simulator.refunds.create({
    payment_intent: earlier?.id ?? '',
    amount: 400,
    reason: 'requested_by_customer',
  });
  for (const intentId of [earlier?.id ?? '', disputed]) world.simulator.intents.dispute(intentId, 1_000);
  await deliver(before);
  await stop(before);
  const rows = async ({ pool }: TestDatabase) => ({
    disputes: (
      await pool.query(
        `select d.provider_dispute_id, d.status, d.reason, d.reason_code, d.amount, d.withdrawn_amount, d.evidence_due_by,
           p.provider_intent_id, p.dispute_status, p.dispute_amount
         from disputes d join payments p on p.id = d.payment_id order by d.provider_dispute_id`,
      )
    ).rows,
    refunds: (
      await pool.query(
        `select r.provider_refund_id, r.status, r.amount, r.reason, r.created_at, p.provider_intent_id, p.refunded_amount
         from refunds r join payments p on p.id = r.payment_id order by r.provider_refund_id`,
      )
    ).rows,
  });
  const recorded = await rows(today);
  expect(recorded.disputes).toHaveLength(2);
  expect(recorded.refunds.map(({ reason }) => reason).sort()).toEqual(['duplicate', 'requested_by_customer']);

  const restored = await copyOf(world.yesterday);
  expect(await rows(restored)).toEqual({ disputes: [], refunds: [] });
  // Too old to be listed, but retrieved because it was paid within 180 days.
  if (earlier) earlier.created -= 7 * 86_400;
  const { exitCode, dependencies } = await command(restored, { dryRun: false });
  expect(exitCode).toBe(0);
  expect(await rows(restored)).toEqual(recorded);
  const since = new Date(Date.now() - 3_600_000);
  expect((await checkPayments(dependencies, { since, recheckDelay: 0 })).discrepancies).toEqual([]);
});

test('fault 74: a recovery reports a search with a price that differs from the paid amount', async () => {
  const today = await copyOf(world.yesterday);
  const before = await start(today);
  const intentId = await pay(before, world.cases.search);
  await stop(before);
  const restored = await copyOf(world.yesterday);
  await restored.pool.query(
    'update case_searches set price_net = 10000, price_vat = 2000, price_gross = 12000 where id = $1',
    [world.cases.search.caseSearchId],
  );
  const { exitCode, lines } = await command(restored, { dryRun: false });
  expect(exitCode).toBe(0);
  expect(lines[0]).toMatch(
    new RegExp(`^${intentId}, .*: recovered as succeeded, receipt \\S+\\. Its search now costs £120\\.00: `),
  );
  expect((await command(restored, { dryRun: false })).lines[0]).toMatch(/^Nothing is missing since /);
});

test('fault 74: a recovery that cannot restore a payment says why and keeps payments paused', {
  timeout: 120_000,
}, async () => {
  const today = await copyOf(world.yesterday);
  const added = await buildCase(today.database);
  const before = await start(today);
  const intentId = await pay(before, added);
  await stop(before);
  const restored = await copyOf(world.yesterday);
  const server = await start(restored);
  expect(await startSearch(server, world.cases.search)).toMatchObject({ code: 'payments_paused' });
  const refused = await command(restored, { dryRun: false });
  expect(refused.exitCode).toBe(1);
  expect(refused.lines[0]).toContain('Import the case feed, then run this again');
  expect(await startSearch(server, world.cases.search)).toMatchObject({ code: 'payments_paused' });
  expect((await command(restored, { dryRun: false, leave: [intentId] })).exitCode).toBe(0);
  expect((await startSearch(server, world.cases.search)).data).toBeDefined();
});

test('fault 82: two installations on one account leave each other’s payments alone', {
  timeout: 120_000,
}, async () => {
  const own = await start(await copyOf(world.yesterday));
  const neighbour = await createTestDatabase();
  world.dropLater(neighbour);
  await buildFirm(neighbour.database);
  const theirs = await buildCase(neighbour.database);
  const other = await start(neighbour);
  const intentId = intentOf((await startSearch(other, theirs)).data.client_secret);
  world.simulator.intents.confirm(intentId, 'pm_card_visa');
  world.simulator.intents.dispute(intentId);
  // Its own checks would be counted too.
  await stop(other);
  const calls = world.simulator.calls.length;
  await deliver(own);
  expect(
    (await own.pool.query('select distinct outcome from provider_events where intent_id = $1', [intentId]))
      .rows,
  ).toEqual([{ outcome: 'ignored' }]);
  expect(
    world.simulator.calls.slice(calls).filter(({ request }) => request.endsWith(intentId)).length,
  ).toBeLessThanOrEqual(2);
  const { dependencies } = await command(own, { dryRun: true });
  const since = new Date(Date.now() - 3_600_000);
  expect((await checkPayments(dependencies, { since, recheckDelay: 0 })).discrepancies).toEqual([]);
  expect((await startSearch(own, world.cases.search)).data).toBeDefined();
});
