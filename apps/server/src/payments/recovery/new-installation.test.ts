import {
  buildCase,
  createPaymentWorld,
  parseCommand,
  sandboxCard,
  startTestPayment,
  withFreshTestDatabase,
} from '@keyturn/testkit';
import { expect, test } from 'vitest';
import { readInstallationId } from '../continuity/installation-id.ts';
import { syncPaymentFromProvider } from '../intents/sync-payment.ts';
import type { PaymentDependencies } from '../payment-dependencies.ts';
import { checkPayments } from '../reconciliation/check-payments.ts';
import {
  type PaymentsCommand,
  paymentsCommand,
  runPaymentsCommand,
} from '../reconciliation/payments-command.ts';

const testDatabase = withFreshTestDatabase();

async function run(dependencies: PaymentDependencies, ...args: string[]) {
  const command = parseCommand<PaymentsCommand>((done) => paymentsCommand(() => new Date(), done), args);
  const lines: string[] = [];
  const code = await runPaymentsCommand(dependencies, command, (line) => lines.push(line), 0);
  return { code, text: lines.join('\n') };
}
const query = async (sql: string) => (await testDatabase.pool.query(sql)).rows;

/** A copy of an original, on the same account: a paid payment, an open one, and a request for a refund. */
async function createCopy() {
  const original = await readInstallationId(testDatabase.database);
  const world = createPaymentWorld(testDatabase, {
    dependencies: { installationId: original, refundApprovalPence: 0 },
  });
  const { dependencies, intents } = world;
  const start = async () => startTestPayment(dependencies, await buildCase(testDatabase.database));
  const [paid, open] = [await start(), await start()];
  await intents.confirm(paid.intentId, sandboxCard());
  await syncPaymentFromProvider(dependencies, paid.intentId, { name: 'test' });
  const refund = ['refund', paid.paymentId, '--amount', '6', '--reason', 'x', '--requested-by', 'Priya'];
  expect((await run(dependencies, ...refund)).code).toBe(0);
  return { ...world, original, paid, open, refund };
}

test.each([
  ['without a confirmation', () => []],
  ['with the id of another installation', () => ['--replace', '0192f5c0-0000-4000-8000-000000000000']],
])('a copy keeps its id %s', async (_what, confirmation) => {
  const { dependencies, original } = await createCopy();
  const before = await query('select status from payments order by id');
  expect(await run(dependencies, 'new-installation', ...confirmation())).toEqual({
    code: 1,
    text: expect.stringMatching(`^This database is installation ${original}. Nothing was changed.`),
  });
  expect(await readInstallationId(testDatabase.database)).toBe(original);
  expect(await query('select status from payments order by id')).toEqual(before);
});

test('a copy of an installation with a new id does not change payments and refunds of the original', async () => {
  const { dependencies, alerts, intents, original, paid, open, refund } = await createCopy();
  const calls: string[] = [];
  const provider = {
    ...dependencies.provider,
    cancelIntent: (id: string) => {
      calls.push(id);
      return dependencies.provider.cancelIntent(id);
    },
  };
  const { code, text } = await run({ ...dependencies, provider }, 'new-installation', '--replace', original);
  const installationId = await readInstallationId(testDatabase.database);
  expect(installationId).not.toBe(original);
  expect({ code, text }).toEqual({
    code: 0,
    text:
      `Installation ${installationId}, a copy of ${original}. Cancelled in this database only: 1 open payments. ` +
      'Rejected in this database only: 1 waiting refunds.',
  });
  expect(alerts).toContain('this database is a new installation');
  expect(await query('select former_installation_ids from installation')).toEqual([
    { former_installation_ids: [original] },
  ]);
  expect(
    await query(
      "select payment_id, to_status, refund_status from payment_changes where cause = 'new_installation' order by id",
    ),
  ).toEqual([
    { payment_id: open.paymentId, to_status: 'cancelled', refund_status: null },
    { payment_id: paid.paymentId, to_status: 'succeeded', refund_status: 'rejected' },
  ]);
  expect(calls).toEqual([]);

  const copy = { ...dependencies, installationId };
  const retrieve = (id: string) => dependencies.provider.retrieveIntent(id);
  // The client pays at the original, and the copy neither reports the payment nor refunds anything.
  expect((await intents.confirm(open.intentId, sandboxCard())).status).toBe('succeeded');
  const since = new Date(Date.now() - 3_600_000);
  expect((await checkPayments(copy, { since, recheckDelay: 0 })).discrepancies).toEqual([]);
  expect(await run(copy, ...refund)).toEqual({
    code: 1,
    text: `The payment belongs to installation ${original}, which this database is a copy of: refund it there.`,
  });
  expect((await retrieve(paid.intentId)).refunds).toEqual([]);
  expect((await run(copy, 'new-installation', '--replace', original)).code).toBe(1);
});
