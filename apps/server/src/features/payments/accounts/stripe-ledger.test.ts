import {
  buildCase,
  createPaymentWorld,
  createRunningClock,
  createTestDatabase,
  type StripeSimulator,
  startStripeSimulator,
  startTestPayment,
  type TestDatabase,
} from '@keyturn/testkit';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { createStripeProvider } from '../../../adapters/stripe/create-stripe-provider.ts';
import { syncPaymentFromProvider } from '../provider/sync-payment.ts';
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
  expect(balances.provider).toBe(simulator.balanceTransactions.balance());
  expect(balances.client_bank).toBe(payout?.amount);
  expect(matters.map(({ clientMoney }) => clientMoney).sort()).toEqual(
    [refunded.amount - 600, failed.amount, disputed.amount].sort(),
  );
  expect(entries.filter(({ payoutId }) => payoutId === payout?.id)).toHaveLength(entries.length - 1);
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

test('whatever happens, the ledger, Stripe’s balance and the record agree', async () => {
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
    // Stripe refuses some, such as a refund of more than is left; others have nothing to act on.
    await Promise.resolve()
      .then(run[what])
      .catch((error: Error) => expect(String(error)).toMatch(/SimulatedError|no successful refund/));
  }
  await sync();
  await fetchBalance(dependencies);
  const { balances } = await read();
  expect(balances.provider).toBe(simulator.balanceTransactions.balance());
  expect(Object.values(balances).reduce((sum, balance) => sum + balance)).toBe(0);
  const later = new Date(clock().getTime() + 2 * 3_600_000);
  expect(await reconcileAccounts(testDatabase.database, later)).toEqual([]);
}
