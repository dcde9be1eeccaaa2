import {
  buildBill,
  buildCase,
  buildPayment,
  createPaymentWorld,
  createRunningClock,
  createTestDatabase,
  intentOf,
  limitsOf,
  type StripeSimulator,
  startStripeSimulator,
  startTestPayment,
  type TestDatabase,
} from '@keyturn/testkit';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { createStripeProvider } from '../../adapters/stripe/create-stripe-provider.ts';
import { startOtherPayment } from '../checkout/start-other-payment.ts';
import { syncPaymentFromProvider } from '../intents/sync-payment.ts';
import { forEachProvider } from '../provider/find-provider.ts';
import { fetchBalance } from './fetch-balance.ts';
import { readLedger } from './read-ledger.ts';
import { reconcileAccounts } from './reconcile-accounts.ts';

const day = 86_400_000;

let simulator: StripeSimulator;
let testDatabase: TestDatabase;
/** Starts with an empty database and an empty account. */
async function start() {
  simulator = await startStripeSimulator(createRunningClock());
  testDatabase = await createTestDatabase();
}
async function stop() {
  await testDatabase.drop();
  await simulator.stop();
}

function createWorld() {
  const { clock } = simulator;
  const { dependencies: sandbox } = createPaymentWorld(testDatabase, { clock });
  const provider = createStripeProvider({
    secretKey: 'rk_test_1',
    publishableKey: 'pk_test_1',
    webhookSecrets: ['whsec_1'],
    apiBase: simulator.url,
  });
  const dependencies = { ...sandbox, provider };
  const intentIds: string[] = [];
  const sync = async () => {
    for (const intentId of intentIds) {
      await syncPaymentFromProvider(dependencies, intentId, { name: 'test' });
    }
  };
  const pay = async () => {
    const { intentId, amount } = await startTestPayment(dependencies, await buildCase(testDatabase.database));
    simulator.intents.confirm(intentId, 'pm_card_visa');
    intentIds.push(intentId);
    return { intentId, amount };
  };
  const read = () => readLedger(testDatabase.database, { from: '2020-01-01', to: '2090-01-01' });
  return { dependencies, clock, pay, sync, read };
}

test('reads charges, refunds, failed refunds, disputes, fees and payouts from Stripe', async () => {
  await start();
  onTestFinished(stop);
  const { dependencies, clock, pay, sync, read } = createWorld();
  const [refunded, failed, disputed] = [await pay(), await pay(), await pay()];
  simulator.intents.refund(refunded.intentId, 600);
  simulator.intents.refund(failed.intentId, 700);
  simulator.intents.failRefund(failed.intentId);
  simulator.intents.dispute(disputed.intentId);
  clock.advance(5 * day);
  const payout = simulator.payouts.create();
  await sync();
  await fetchBalance(dependencies);
  const { entries, balances, matters } = await read();
  expect(new Set(entries.map(({ kind }) => kind))).toEqual(
    new Set(['charge', 'refund', 'refund_failure', 'dispute', 'payout']),
  );
  expect(balances.client.provider).toBe(simulator.balanceTransactions.balance());
  expect(balances.client.bank).toBe(payout?.amount);
  expect(matters.map(({ clientMoney }) => clientMoney).sort()).toEqual(
    [refunded.amount - 600, failed.amount, disputed.amount].sort(),
  );
  expect(entries.filter(({ payoutId }) => payoutId === payout?.id)).toHaveLength(entries.length - 1);
});

test('keeps the money of two accounts apart, and no fee or chargeback of either reduces client money', async () => {
  await start();
  onTestFinished(stop);
  const { dependencies: clientOnly, clock, read } = createWorld();
  const businessAccount = simulator.addAccount();
  const business = createStripeProvider({
    name: 'stripe_business',
    secretKey: businessAccount.secretKey,
    publishableKey: 'pk_test_2',
    webhookSecrets: ['whsec_2'],
    apiBase: simulator.url,
  });
  const dependencies = {
    ...clientOnly,
    providers: { active: [clientOnly.provider, business], former: [] },
    purposes: {
      ...clientOnly.purposes,
      card: { ...clientOnly.purposes.card, legal_fees: 'business' as const },
    },
    limits: limitsOf({ min: 100, max: 500_000, dailyMax: 1_000_000 }),
  };
  const built = await buildCase(testDatabase.database);
  const search = await startTestPayment(dependencies, built);
  const bill = await buildBill(testDatabase.database, { caseId: built.id });
  const paid = await startOtherPayment(dependencies, {
    clientId: built.clientId,
    body: { category: 'legal_fees', bill_id: bill.id, amount: 27_600, own_card: true },
    idempotencyKey: 'bill',
  });
  simulator.intents.confirm(search.intentId, 'pm_card_visa');
  businessAccount.intents.confirm(intentOf(paid.client_secret), 'pm_card_visa');
  clock.advance(5 * day);
  const payouts = [simulator.payouts.create(), businessAccount.payouts.create()];
  simulator.intents.dispute(search.intentId);
  businessAccount.intents.dispute(intentOf(paid.client_secret));
  await forEachProvider(dependencies, (atProvider) =>
    syncPaymentFromProvider(
      atProvider,
      atProvider.provider === business ? intentOf(paid.client_secret) : search.intentId,
      { name: 'test' },
    ),
  );
  await fetchBalance(dependencies);
  const { balances, matters } = await read();
  expect(matters).toMatchObject([{ clientMoney: search.amount }]);
  expect(balances.client).toMatchObject({
    provider: simulator.balanceTransactions.balance(),
    bank: payouts[0]?.amount,
    client_money: -search.amount,
    business_money: 0,
  });
  expect(balances.business).toMatchObject({
    provider: businessAccount.balanceTransactions.balance(),
    bank: payouts[1]?.amount,
    client_money: 0,
    business_money: -27_600,
  });
  for (const account of [balances.client, balances.business]) {
    expect(account.card_costs).toBeGreaterThan(0);
    expect(Object.values(account).reduce((sum, balance) => sum + balance)).toBe(0);
  }
  const later = new Date(clock().getTime() + 2 * 3_600_000);
  expect(await reconcileAccounts(testDatabase.database, later)).toEqual([]);
});

test('counts the movements of an account once if its keys are set for both', async () => {
  await start();
  onTestFinished(stop);
  const { dependencies: clientOnly, pay, sync, read } = createWorld();
  const twice = { ...clientOnly.provider, name: 'stripe_business' as const };
  const dependencies = { ...clientOnly, providers: { active: [clientOnly.provider, twice], former: [] } };
  await clientOnly.provider.readAccountId();
  const { amount } = await pay();
  // The balance of a provider is only fetched once it has a payment.
  const { id: caseId, clientId } = await buildCase(testDatabase.database);
  await buildPayment(testDatabase.database, { caseId, clientId, provider: 'stripe_business' });
  await sync();
  await fetchBalance(dependencies);
  const { entries, balances } = await read();
  expect(entries).toMatchObject([{ kind: 'charge', amount, account: 'client' }]);
  expect(balances.business).toMatchObject({ provider: 0, not_ours: 0 });
});

const operationNames = [
  'pay',
  'refund a part',
  'refund all',
  'fail a refund',
  'dispute',
  'wait',
  'pay out',
  'fetch',
] as const;
type Operation = (typeof operationNames)[number];

const operations = fc.array(
  fc.record({
    what: fc.constantFrom(...operationNames),
    which: fc.nat({ max: 9 }),
  }),
  { minLength: 5, maxLength: 25 },
);

test('the ledger, Stripe’s balance and the record agree after any sequence of operations', async () => {
  const property = fc.asyncProperty(operations, runOperations).beforeEach(start).afterEach(stop);
  await fc.assert(property, { numRuns: 6 });
});

async function runOperations(all: { what: Operation; which: number }[]): Promise<void> {
  const { dependencies, clock, pay, sync, read } = createWorld();
  const paid = [await pay()];
  for (const { what, which } of all) {
    const { intentId, amount } = paid[which % paid.length] ?? { intentId: '', amount: 0 };
    const run: Record<Operation, () => unknown> = {
      pay: async () => paid.push(await pay()),
      'refund a part': () => simulator.intents.refund(intentId, Math.ceil(amount / 3)),
      'refund all': () => simulator.intents.refund(intentId),
      'fail a refund': () => simulator.intents.failRefund(intentId),
      dispute: () => simulator.intents.dispute(intentId),
      wait: () => clock.advance(2 * day),
      'pay out': () => simulator.payouts.create(),
      fetch: () => fetchBalance(dependencies),
    };
    // Stripe rejects some operations, such as too large a refund; others have nothing to act on.
    await Promise.resolve()
      .then(run[what])
      .catch((error: Error) => expect(String(error)).toMatch(/SimulatedError|no successful refund/));
  }
  await sync();
  await fetchBalance(dependencies);
  const { balances } = await read();
  expect(balances.client.provider).toBe(simulator.balanceTransactions.balance());
  expect(Object.values(balances.client).reduce((sum, balance) => sum + balance)).toBe(0);
  const later = new Date(clock().getTime() + 2 * 3_600_000);
  expect(await reconcileAccounts(testDatabase.database, later)).toEqual([]);
}
