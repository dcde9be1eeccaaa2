import { randomUUID } from 'node:crypto';
import { paymentPurposes } from '@keyturn/contract';
import {
  buildBill,
  buildCase,
  createPaymentWorld,
  createRunningClock,
  intentOf,
  limitsOf,
  ownCard,
  type StripeSimulator,
  startStripeSimulator,
  withFreshTestDatabase,
} from '@keyturn/testkit';
import type { StripeAccount } from '@keyturn/testkit/stripe-simulator/stripe-account.ts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createStripeProvider } from '../../adapters/stripe/create-stripe-provider.ts';
import { refundAsMember } from '../../testing/refund-as-member.ts';
import { cancelPayment } from '../checkout/cancel-payment.ts';
import { confirmPayment } from '../checkout/confirm-payment.ts';
import { expirePayments } from '../checkout/expire-payments.ts';
import { createPaymentRefresh } from '../checkout/refresh-payment.ts';
import { retrievePaymentIntent } from '../checkout/retrieve-payment-intent.ts';
import { startOtherPayment } from '../checkout/start-other-payment.ts';
import { startSearchPayment } from '../checkout/start-search-payment.ts';
import { syncDuePayments } from '../intents/sync-due-payments.ts';
import type { PaymentDependencies } from '../payment-dependencies.ts';
import type { PaymentProvider } from '../ports/provider.ts';
import { findPayment } from '../records/payments-store.ts';
import { createAccountKeys } from './account-keys.ts';
import { runAccountsCommand } from './accounts-command.ts';
import { forEachProvider } from './find-provider.ts';

const testDatabase = withFreshTestDatabase();
let simulator: StripeSimulator;
let businessAccount: StripeAccount;
beforeEach(async () => {
  simulator = await startStripeSimulator(createRunningClock());
  businessAccount = simulator.addAccount();
});
afterEach(() => simulator.stop());

const limits = limitsOf({ min: 100, max: 500_000, dailyMax: 1_000_000 });

/** The account of each purpose: bills are paid into the business account. */
const purposes = (
  change: Partial<PaymentDependencies['purposes']['card']> = {},
): PaymentDependencies['purposes'] => {
  const all = {
    ...(Object.fromEntries(
      paymentPurposes.map((purpose) => [purpose, 'client']),
    ) as PaymentDependencies['purposes']['card']),
    legal_fees: 'business' as const,
    ...change,
  };
  return { card: all, bank: all };
};

const clientKey = { secretKey: 'rk_test_1', publishableKey: 'pk_test_client' };
const businessKey = () => ({ secretKey: businessAccount.secretKey, publishableKey: 'pk_test_business' });

const createProvider = (
  name: 'stripe' | 'stripe_business',
  keys: { secretKey: string; publishableKey: string },
): PaymentProvider =>
  createStripeProvider({ ...keys, name, webhookSecrets: ['whsec_1'], apiBase: simulator.url });

/** An installation with these keys in its settings; all installations of a test share one database. */
async function createWorld(
  settings: {
    purposes?: PaymentDependencies['purposes'];
    keys?: { client: typeof clientKey; business: typeof clientKey | null };
    /** Whether the accounts have returned their ids; true by default. */
    hasAnswered?: boolean;
  } = {},
) {
  const keys = settings.keys ?? { client: clientKey, business: businessKey() };
  const provider = createProvider('stripe', keys.client);
  const business = keys.business && createProvider('stripe_business', keys.business);
  const active = business ? [provider, business] : [provider];
  if (settings.hasAnswered ?? true) {
    for (const current of active) await current.readAccountId();
  }
  const { dependencies, alerts } = createPaymentWorld(testDatabase, {
    clock: simulator.clock,
    dependencies: {
      provider,
      providers: { active, former: [] },
      purposes: settings.purposes ?? purposes(),
    },
  });
  const accountKeys = createAccountKeys(dependencies);
  return { dependencies: { ...dependencies, accountKeys, limits }, alerts };
}
type World = Awaited<ReturnType<typeof createWorld>>;

/** A client with a search and a bill to pay. */
async function createPayer() {
  const { id: caseId, clientId, caseSearchId } = await buildCase(testDatabase.database);
  const bill = await buildBill(testDatabase.database, { caseId });
  const key = randomUUID();
  return {
    clientId,
    startSearch: ({ dependencies }: World) =>
      startSearchPayment(dependencies, {
        clientId,
        caseSearchId,
        confirmed: ownCard,
        idempotencyKey: undefined,
      }),
    startBill: ({ dependencies }: World, amount = 27_600, idempotencyKey: string = key) =>
      startOtherPayment(dependencies, {
        clientId,
        body: { category: 'legal_fees', bill_id: bill.id, amount, own_card: true },
        idempotencyKey,
      }),
  };
}

const paymentOf = async (id: string) => {
  const payment = await findPayment(testDatabase.database, id);
  if (!payment) throw new Error(`there is no payment ${id}`);
  return payment;
};
const isAt = ({ intents }: StripeAccount, intentId: string) =>
  intents.all().some(({ id }) => id === intentId);

/** Runs the periodic check. */
const catchUp = ({ dependencies }: World) =>
  forEachProvider(dependencies, async (atProvider) => {
    await expirePayments(atProvider);
    await syncDuePayments(atProvider);
  });

describe('a firm with an account for client money and one for its own', () => {
  test('starts each payment at the account of its purpose, and gives the browser that account’s key', async () => {
    const world = await createWorld();
    const payer = await createPayer();
    const search = await payer.startSearch(world);
    const bill = await payer.startBill(world);
    expect(search).toMatchObject({ provider: 'stripe', publishable_key: 'pk_test_client' });
    expect(bill).toMatchObject({ provider: 'stripe', publishable_key: 'pk_test_business' });
    expect(isAt(simulator, intentOf(search.client_secret))).toBe(true);
    expect(isAt(businessAccount, intentOf(bill.client_secret))).toBe(true);
    expect(await paymentOf(bill.payment_id)).toMatchObject({
      provider: 'stripe_business',
      providerAccountId: `${businessAccount.id}:test`,
    });
    const { clientId } = payer;
    const request = { clientId, paymentId: bill.payment_id, address: undefined };
    expect(await retrievePaymentIntent(world.dependencies, request)).toEqual(bill);
    expect(await confirmPayment(world.dependencies, { ...request, confirmed: {} })).toEqual(bill);
  });

  test('sends everything to the client account without a business account', async () => {
    const world = await createWorld({ keys: { client: clientKey, business: null } });
    const { client_secret } = await (await createPayer()).startBill(world);
    expect(isAt(simulator, intentOf(client_secret))).toBe(true);
  });

  test('sends everything to the client account while both keys are of the same account', async () => {
    const same = { secretKey: 'rk_test_2', publishableKey: 'pk_test_2' };
    const world = await createWorld({ keys: { client: clientKey, business: same } });
    const started = await (await createPayer()).startBill(world);
    expect(await paymentOf(started.payment_id)).toMatchObject({ provider: 'stripe' });
  });
});

describe('keys of another account', () => {
  const watch = async (keys?: Parameters<typeof createWorld>[0]) => {
    const world = await createWorld(keys);
    const check = world.dependencies.accountKeys.watch;
    await check();
    return { ...world, check };
  };
  const startBoth = async (world: World) => {
    const payer = await createPayer();
    await payer.startSearch(world);
    await payer.startBill(world);
  };

  test('fault 90: alerts every hour while the keys of both accounts are swapped', async () => {
    const swapped = { keys: { client: businessKey(), business: clientKey } };
    await startBoth(await createWorld());
    expect((await watch()).alerts).toEqual([]);
    const world = await watch(swapped);
    expect(world.alerts).toEqual([
      expect.stringMatching(/^a key in the settings belongs to the firm’s other account/),
      expect.stringMatching(/^a key in the settings belongs to the firm’s other account/),
    ]);
    await world.check();
    expect(world.alerts).toHaveLength(2);
    simulator.clock.advance(3_600_000);
    await world.check();
    expect(world.alerts).toHaveLength(4);
    expect((await watch()).alerts).toEqual([]);
  });

  test('fault 90: no payment is started, continued or confirmed at either account while their keys are swapped', async () => {
    const first = await createPayer();
    const right = await createWorld();
    const open = await first.startSearch(right);
    await first.startBill(right);
    const swapped = await createWorld({ keys: { client: businessKey(), business: clientKey } });
    const intents = () => [simulator, businessAccount].map((account) => account.intents.all().length);
    const before = intents();
    const closed = {
      code: 'payments_paused',
      message: expect.stringMatching(/call us before you pay in another way/),
    };
    const next = await createPayer();
    await expect(next.startSearch(swapped)).rejects.toMatchObject(closed);
    await expect(next.startBill(swapped)).rejects.toMatchObject(closed);
    await expect(first.startSearch(swapped)).rejects.toMatchObject(closed);
    const request = { clientId: first.clientId, paymentId: open.payment_id, address: undefined };
    await expect(retrievePaymentIntent(swapped.dependencies, request)).rejects.toMatchObject(closed);
    await expect(confirmPayment(swapped.dependencies, { ...request, confirmed: {} })).rejects.toMatchObject(
      closed,
    );
    expect(intents()).toEqual(before);
    expect(await first.startSearch(await createWorld())).toEqual(open);
  });

  test.each([
    ['both keys belong to the business account', () => ({ client: businessKey(), business: businessKey() })],
    ['the only key belongs to the business account', () => ({ client: businessKey(), business: null })],
  ])('fault 90: no payment is started while %s', async (_what, keys) => {
    await startBoth(await createWorld());
    const world = await createWorld({ keys: keys() });
    const payer = await createPayer();
    await expect(payer.startSearch(world)).rejects.toMatchObject({ code: 'payments_paused' });
    await expect(payer.startBill(world)).rejects.toMatchObject({ code: 'payments_paused' });
  });

  test('fault 90: if two servers have different keys, the first payment determines which account is which', async () => {
    const payer = await createPayer();
    const right = await createWorld();
    const swapped = await createWorld({ keys: { client: businessKey(), business: clientKey } });
    await swapped.dependencies.accountKeys.watch();
    await payer.startSearch(right);
    await expect(payer.startBill(swapped)).rejects.toMatchObject({ code: 'payments_paused' });
    expect(simulator.intents.all()).toHaveLength(1);
  });

  test('fault 90: swapped keys of a new account record nothing, so that the right keys are accepted', async () => {
    const first = await createPayer();
    const open = await first.startSearch(await createWorld({ keys: { client: clientKey, business: null } }));
    const swapped = await createWorld({
      keys: { client: businessKey(), business: clientKey },
      hasAnswered: false,
    });
    const request = { clientId: first.clientId, paymentId: open.payment_id, address: undefined };
    await expect(retrievePaymentIntent(swapped.dependencies, request)).rejects.toMatchObject({
      code: 'payments_paused',
    });
    const right = await createWorld();
    expect(await first.startSearch(right)).toEqual(open);
    await first.startBill(right);
  });

  test('fault 90: no payment is started at an account with an unknown id', async () => {
    const payer = await createPayer();
    const world = await createWorld({ hasAnswered: false });
    simulator.faultyCalls = /^GET .v1.account$/;
    simulator.faults.push(503, 503, 503);
    await expect(payer.startSearch(world)).rejects.toMatchObject({ code: 'payments_paused' });
    expect(simulator.intents.all()).toEqual([]);
    await payer.startSearch(world);
    expect(simulator.intents.all()).toHaveLength(1);
  });

  test('correcting the record with the command reopens payments without a restart', async () => {
    await startBoth(await createWorld({ keys: { client: businessKey(), business: clientKey } }));
    const { dependencies, alerts } = await watch();
    const payer = await createPayer();
    await expect(payer.startSearch({ dependencies, alerts })).rejects.toMatchObject({
      code: 'payments_paused',
    });
    const run = async (command: Parameters<typeof runAccountsCommand>[1]) => {
      const lines: string[] = [];
      return { code: await runAccountsCommand(dependencies, command, (line) => lines.push(line)), lines };
    };
    const [client, business] = [`${simulator.id}:test`, `${businessAccount.id}:test`];
    expect(await run({ name: 'accounts' })).toMatchObject({
      code: 1,
      lines: [
        `The key of the client account belongs to ${client}: recorded as the business account, so that no payments are accepted.`,
        `The key of the business account belongs to ${business}: recorded as the client account, so that no payments are accepted.`,
        expect.stringMatching(/^Correct the keys/),
      ],
    });
    const assign = (accountId: string, paysInto: 'client' | 'business') =>
      run({ name: 'assign account', accountId, paysInto });
    expect((await assign('acct_unknown', 'client')).code).toBe(1);
    expect((await assign(client, 'client')).code).toBe(1);
    expect(await assign(business, 'business')).toEqual({
      code: 0,
      lines: [
        `The key of the client account belongs to ${client}: as recorded.`,
        `The key of the business account belongs to ${business}: as recorded.`,
      ],
    });
    await dependencies.accountKeys.watch();
    await payer.startSearch({ dependencies, alerts });
  });

  test('fault 90: alerts about the key of an unknown account until the first payment there', async () => {
    await startBoth(await createWorld());
    const { secretKey } = simulator.addAccount();
    const keys = { client: { ...clientKey, secretKey }, business: businessKey() };
    const world = await watch({ keys });
    expect(world.alerts).toEqual([
      expect.stringMatching(/belong to a different account .* than earlier payments/),
    ]);
    await startBoth(world);
    expect((await watch({ keys })).alerts).toEqual([]);
  });

  test.each([
    ['client', /^the keys of both accounts .* belong to one account, although payments were made at two/],
    ['business', /^the keys of both accounts .* recorded as the business account: no payments are accepted/],
  ] as const)('fault 90: alerts every hour while both keys belong to the %s account', async (which, text) => {
    await startBoth(await createWorld());
    const key = which === 'client' ? clientKey : businessKey();
    const world = await watch({ keys: { client: key, business: key } });
    const alert = expect.stringMatching(text);
    expect(world.alerts).toEqual([alert]);
    if (which === 'client') await startBoth(world);
    simulator.clock.advance(3_600_000);
    await world.check();
    expect(world.alerts).toEqual([alert, alert]);
  });

  test('does not alert about an account that was always used for both purposes', async () => {
    const keys = { client: clientKey, business: clientKey };
    await startBoth(await createWorld({ keys }));
    expect((await watch({ keys })).alerts).toEqual([]);
  });
});

describe('a payment stays at the account that it was started at', () => {
  test('a payment stays at its account after the firm chose the other account for its purpose', async () => {
    const payer = await createPayer();
    const started = await payer.startBill(await createWorld());
    const changed = await createWorld({ purposes: purposes({ legal_fees: 'client' }) });
    const { clientId } = payer;
    const paymentId = started.payment_id;
    expect(await payer.startBill(changed)).toEqual(started);
    expect(
      await confirmPayment(changed.dependencies, { clientId, paymentId, confirmed: {}, address: undefined }),
    ).toEqual(started);
    businessAccount.intents.confirm(intentOf(started.client_secret), 'pm_card_visa');
    await catchUp(changed);
    expect(await paymentOf(paymentId)).toMatchObject({ status: 'succeeded', provider: 'stripe_business' });
    await refundAsMember(changed.dependencies, { paymentId, amount: 600 });
    expect(businessAccount.refunds.all()).toMatchObject([{ amount: 600, status: 'succeeded' }]);
    expect(simulator.refunds.all()).toEqual([]);
    const next = await payer.startBill(changed, 600, randomUUID());
    expect(isAt(simulator, intentOf(next.client_secret))).toBe(true);
  });

  test('a payment stays at its account after the keys of both accounts were swapped in the settings', async () => {
    const payer = await createPayer();
    const world = await createWorld();
    const paid = await payer.startBill(world, 10_000);
    const open = await payer.startBill(world, 10_000, randomUUID());
    const swapped = await createWorld({ keys: { client: businessKey(), business: clientKey } });
    businessAccount.intents.confirm(intentOf(paid.client_secret), 'pm_card_visa');
    await catchUp(swapped);
    expect(await paymentOf(paid.payment_id)).toMatchObject({ status: 'succeeded' });
    const { clientId } = payer;
    const refresh = createPaymentRefresh(swapped.dependencies);
    expect(await refresh({ clientId, paymentId: open.payment_id })).toMatchObject({
      status: 'requires_payment_method',
    });
    await cancelPayment(swapped.dependencies, { clientId, paymentId: open.payment_id });
    expect(businessAccount.intents.find(intentOf(open.client_secret))).toMatchObject({ status: 'canceled' });
    expect(swapped.alerts).toEqual([]);
  });

  test('a payment is neither continued nor cancelled at another account once the keys of its account are removed', async () => {
    const payer = await createPayer();
    const started = await payer.startBill(await createWorld());
    const without = await createWorld({
      keys: { client: clientKey, business: null },
      purposes: purposes({ legal_fees: 'client' }),
    });
    await expect(payer.startBill(without)).rejects.toMatchObject({ code: 'payment_being_checked' });
    expect(await paymentOf(started.payment_id)).toMatchObject({ status: 'requires_payment_method' });
    expect(simulator.intents.all()).toEqual([]);
  });

  test('a payment stays at its account when its intent got no answer and the settings change before the retry', async () => {
    const payer = await createPayer();
    simulator.faultyCalls = /^POST /;
    simulator.faults.push('broken after', 'broken after', 'broken after');
    await expect(payer.startBill(await createWorld())).rejects.toMatchObject({
      code: 'provider_unavailable',
    });
    const changed = await createWorld({ purposes: purposes({ legal_fees: 'client' }) });
    await payer.startBill(changed);
    expect(businessAccount.intents.all()).toHaveLength(1);
    expect(simulator.intents.all()).toEqual([]);
  });
});

describe('a purpose without cards', () => {
  const without = () => createWorld({ purposes: purposes({ legal_fees: null, search: null }) });

  test('starts no payment for a purpose without cards', async () => {
    const payer = await createPayer();
    const world = await without();
    await expect(payer.startBill(world)).rejects.toMatchObject({ code: 'card_not_accepted' });
    await expect(payer.startSearch(world)).rejects.toMatchObject({ code: 'card_not_accepted' });
    expect(simulator.intents.all()).toEqual([]);
  });

  test('cancels an open payment for a purpose without cards at its provider when the client continues it', async () => {
    for (const continues of ['start', 'confirm'] as const) {
      const payer = await createPayer();
      const started = await payer.startBill(await createWorld());
      const world = await without();
      const request = { clientId: payer.clientId, paymentId: started.payment_id, address: undefined };
      await expect(retrievePaymentIntent(world.dependencies, request)).rejects.toMatchObject({
        code: 'card_not_accepted',
      });
      await expect(
        continues === 'start'
          ? payer.startBill(world)
          : confirmPayment(world.dependencies, { ...request, confirmed: {} }),
      ).rejects.toMatchObject({ code: 'card_not_accepted' });
      expect(businessAccount.intents.find(intentOf(started.client_secret))).toMatchObject({
        status: 'canceled',
      });
    }
  });

  test('records a payment for a purpose without cards when the client paid before the cancellation', async () => {
    const payer = await createPayer();
    const started = await payer.startBill(await createWorld());
    businessAccount.intents.confirm(intentOf(started.client_secret), 'pm_card_visa');
    await expect(payer.startBill(await without())).rejects.toMatchObject({ code: 'already_paid' });
    expect(await paymentOf(started.payment_id)).toMatchObject({ status: 'succeeded' });
  });
});
