import { buildBill, intentOf, type TestServer, withBackup } from '@keyturn/testkit';
import type { StripeSimulator } from '@keyturn/testkit/stripe-simulator/start-stripe-simulator.ts';
import type { StripeAccount } from '@keyturn/testkit/stripe-simulator/stripe-account.ts';
import { businessAccountSettings } from '@keyturn/testkit/stripe-simulator/stripe-settings.ts';
import { expect, test } from 'vitest';

/** The business account of each test's simulator, added when its first server starts. */
const businessAccounts = new Map<StripeSimulator, StripeAccount>();
function businessAccountOf(simulator: StripeSimulator): StripeAccount {
  const account = businessAccounts.get(simulator) ?? simulator.addAccount();
  businessAccounts.set(simulator, account);
  return account;
}
const world = withBackup((simulator) => businessAccountSettings(businessAccountOf(simulator)));
const { copyOf, start, stop, call, startSearch, pay, paidPayments, command } = world;

/** Pays a bill of a case at the business account, and loses the webhook. */
async function payBill(server: TestServer, billId: string, business: StripeAccount): Promise<string> {
  const { data } = await call(server, world.cases.other, '/other-payments', {
    category: 'legal_fees',
    bill_id: billId,
    amount: 10_000,
    own_card: true,
  });
  const intentId = intentOf(data.client_secret);
  business.intents.confirm(intentId, 'pm_card_visa');
  await call(server, world.cases.other, `/payments/${data.payment_id}/refresh`);
  return intentId;
}

test('fault 74: a recovery restores the payments of both accounts, each at its own account', {
  timeout: 120_000,
}, async () => {
  const backup = await copyOf(world.yesterday);
  const bill = await buildBill(backup.database, { caseId: world.cases.other.id });
  await backup.close();
  const today = await copyOf(backup);
  const server = await start(today);
  const business = businessAccountOf(world.simulator);
  await pay(server, world.cases.search);
  await payBill(server, bill.id, business);
  await stop(server);
  const recorded = await paidPayments(today);
  expect(recorded).toHaveLength(3);

  const restored = await copyOf(backup);
  const after = await start(restored);
  expect(await startSearch(after, world.cases.search)).toMatchObject({ code: 'payments_paused' });
  const { exitCode, lines } = await command(restored, { dryRun: false, businessAccount: business });
  expect(exitCode).toBe(0);
  expect(lines.filter((line) => line.includes('recovered as succeeded'))).toHaveLength(2);
  expect(await paidPayments(restored)).toEqual(recorded);
  const { rows } = await restored.pool.query(
    'select provider, count(*)::int as paid from payments where paid_at is not null group by provider order by provider',
  );
  expect(rows).toEqual([
    { provider: 'stripe', paid: 2 },
    { provider: 'stripe_business', paid: 1 },
  ]);
});
