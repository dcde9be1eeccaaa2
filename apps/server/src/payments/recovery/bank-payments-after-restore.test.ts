import { intentOf, type TestServer, withBackup } from '@keyturn/testkit';
import { expect, test } from 'vitest';
import { checkPayments } from '../reconciliation/check-payments.ts';

const world = withBackup(() => ({ KEYTURN_BANK_PURPOSES: 'search' }));
const { copyOf, start, stop, call, startSearch, deliver, command } = world;

type Case = keyof typeof world.cases;

async function startByBank(server: TestServer, name: Case): Promise<string> {
  const built = world.cases[name];
  const body = { method: 'bank', own_card: true, order_now: true, order_wording: '2026-12-unknown' };
  const { data } = await call(server, built, `/case-searches/${built.caseSearchId}/payments`, body);
  const intentId = intentOf(data.client_secret);
  world.simulator.intents.confirm(intentId, 'pm_sim_pay_by_bank');
  return intentId;
}

test('fault 85: payments by bank that were started after the backup are recovered in their current state at the bank', {
  timeout: 120_000,
}, async () => {
  const { intents } = world.simulator;
  const server = await start(await copyOf(world.yesterday));
  const unapproved = await startByBank(server, 'open');
  const approved = await startByBank(server, 'other');
  intents.answerAtBank(approved, 'authorised');
  const settled = await startByBank(server, 'search');
  intents.answerAtBank(settled, 'authorised');
  intents.settle(settled);
  const failed = await startByBank(server, 'untouched');
  intents.answerAtBank(failed, 'authorised');
  intents.failToSettle(failed);
  await deliver(server);
  await stop(server);

  const restored = await copyOf(world.yesterday);
  const after = await start(restored);
  expect(await startSearch(after, world.cases.other)).toMatchObject({ code: 'payments_paused' });
  const { exitCode, dependencies } = await command(restored, { dryRun: false });
  expect(exitCode).toBe(0);
  const states = async () =>
    (
      await restored.pool.query(
        'select provider_intent_id as intent, method, status from payments where provider_intent_id = any($1)',
        [[unapproved, approved, settled, failed]],
      )
    ).rows;
  expect(await states()).toEqual(
    expect.arrayContaining([
      { intent: approved, method: 'bank', status: 'processing' },
      { intent: settled, method: 'bank', status: 'succeeded' },
    ]),
  );
  // These payments will never be paid, so their clients start again.
  expect(await states()).toHaveLength(2);
  for (const intentId of [unapproved, failed]) expect(intents.find(intentId).status).toBe('canceled');
  // The approved money is on its way, so no other payment for the search is started.
  expect(await startSearch(after, world.cases.other)).toMatchObject({ code: 'payment_being_checked' });
  expect(await startSearch(after, world.cases.search)).toMatchObject({ code: 'already_paid' });
  intents.settle(approved);
  await deliver(after);
  expect(await startSearch(after, world.cases.other)).toMatchObject({ code: 'already_paid' });
  const since = new Date(Date.now() - 3_600_000);
  expect((await checkPayments(dependencies, { since, recheckDelay: 0 })).discrepancies).toEqual([]);
});
