import { randomUUID } from 'node:crypto';
import {
  createPaymentWorld,
  createTestDatabase,
  type StripeSimulator,
  sandboxCard,
  startStripeSimulator,
  type TestDatabase,
} from '@keyturn/testkit';
import Stripe from 'stripe';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createStripeProvider } from '../../../adapters/stripe/create-stripe-provider.ts';
import {
  IdempotencyKeyConflict,
  IntentNotFound,
  type IntentTerms,
  type PaymentProvider,
  type ProviderIntent,
} from '../ports.ts';

/** A provider, and what the payer and the firm do at it. */
interface World {
  provider: PaymentProvider;
  pay(intentId: string, card: Card): Promise<unknown>;
  /** Undefined where only a browser could. */
  authenticate?(intentId: string, outcome: 'approved' | 'refused'): Promise<unknown>;
  refund?(intentId: string, amount?: number): Promise<unknown>;
  /** The payer's bank questions the payment; undefined where no bank does. */
  dispute?(intentId: string): Promise<unknown>;
  stop(): Promise<void>;
}

type Card = 'pays' | 'declined' | 'no money' | 'expired' | 'wrong code' | 'bank asks' | 'pays later';

const testKey = process.env.STRIPE_TEST_KEY;

const worlds: { name: string; open: () => Promise<World> }[] = [
  { name: 'the sandbox', open: openSandbox },
  { name: 'Stripe, simulated', open: openSimulated },
  // Only with a key of one's own: docs/payments.md says how.
  ...(testKey ? [{ name: "Stripe's own test mode", open: openTestMode(testKey) }] : []),
];

const terms = (): IntentTerms => {
  const paymentId = randomUUID();
  return {
    paymentId,
    caseId: randomUUID(),
    kind: 'search',
    amount: 18_050,
    currency: 'gbp',
    description: 'Local authority search',
    idempotencyKey: `create-intent:${paymentId}:1`,
  };
};

describe.each(worlds)('$name', ({ open }) => {
  let world: World;
  beforeAll(async () => {
    world = await open();
  });
  afterAll(() => world.stop());

  const create = (of = terms()) => world.provider.createIntent(of);
  const read = (intent: ProviderIntent) => world.provider.retrieveIntent(intent.intentId);

  test('creates an intent with the given terms, and retrieves it unchanged', async () => {
    const requested = terms();
    const intent = await create(requested);
    expect(intent).toMatchObject({
      status: 'requires_payment_method',
      amount: 18_050,
      currency: 'gbp',
      paymentId: requested.paymentId,
      card: null,
      error: null,
      refundedAmount: 0,
      dispute: null,
    });
    expect(intent.clientSecret).toContain(`${intent.intentId}_secret_`);
    expect(await read(intent)).toEqual(intent);
  });

  test('creates one intent per key, also concurrently, and refuses other terms with the same key', async () => {
    const requested = terms();
    const made = [
      await create(requested),
      ...(await Promise.all([create(requested), create(requested), create(requested)])),
    ];
    expect(new Set(made.map(({ intentId }) => intentId)).size).toBe(1);
    await expect(create({ ...requested, amount: 1_000 })).rejects.toThrow(IdempotencyKeyConflict);
    expect((await create()).intentId).not.toBe(made[0]?.intentId);
  });

  test('reports an intent that it did not create as not found', async () => {
    await expect(world.provider.retrieveIntent('pi_3000000000000000000none')).rejects.toThrow(IntentNotFound);
    await expect(world.provider.cancelIntent('pi_3000000000000000000none')).rejects.toThrow(IntentNotFound);
  });

  test('lists the intents created since a time, in any status, without secrets', async () => {
    const since = new Date(Date.now() - 60_000);
    const [waiting, paid, ended] = [await create(), await create(), await create()];
    await world.pay(paid.intentId, 'pays');
    await world.provider.cancelIntent(ended.intentId);
    const listed = await world.provider.listIntents(since);
    for (const { intentId } of [waiting, paid, ended]) {
      const { clientSecret, ...facts } = await world.provider.retrieveIntent(intentId);
      expect(listed.find((one) => one.intentId === intentId)).toEqual(facts);
      expect(JSON.stringify(listed)).not.toContain(clientSecret);
    }
    expect(await world.provider.listIntents(new Date(Date.now() + 60_000))).toEqual([]);
  });

  test('charges a good card, and keeps its brand and last four digits', async () => {
    const intent = await create();
    await world.pay(intent.intentId, 'pays');
    expect(await read(intent)).toMatchObject({
      status: 'succeeded',
      card: { brand: 'visa', last4: '4242' },
      error: null,
    });
  });

  test.each([
    ['declined', 'card_declined'],
    ['no money', 'insufficient_funds'],
    ['expired', 'expired_card'],
    ['wrong code', 'incorrect_cvc'],
  ] as const)(
    'reports a card that is %s as %s, and lets the same intent be paid afterwards',
    async (card, code) => {
      const intent = await create();
      await world.pay(intent.intentId, card);
      expect(await read(intent)).toMatchObject({ status: 'requires_payment_method', error: { code } });
      await world.pay(intent.intentId, 'pays');
      expect(await read(intent)).toMatchObject({ status: 'succeeded', error: null });
    },
  );

  test('cancels an intent that waits for a card or the bank, idempotently', async () => {
    const waiting = await create();
    const asking = await create();
    await world.pay(asking.intentId, 'bank asks');
    expect(await read(asking)).toMatchObject({ status: 'requires_action', error: null });
    for (const { intentId } of [waiting, asking, waiting]) {
      expect((await world.provider.cancelIntent(intentId)).status).toBe('cancelled');
    }
    expect((await read(waiting)).status).toBe('cancelled');
  });

  test('does not cancel a paid intent', async () => {
    const intent = await create();
    await world.pay(intent.intentId, 'pays');
    expect((await world.provider.cancelIntent(intent.intentId)).status).toBe('succeeded');
  });

  test('pays when the bank’s check is approved, and reports when it is refused', async (context) => {
    if (!world.authenticate) return context.skip('only a browser can answer the bank there');
    const [approved, refused] = [await create(), await create()];
    for (const { intentId } of [approved, refused]) await world.pay(intentId, 'bank asks');
    await world.authenticate(approved.intentId, 'approved');
    await world.authenticate(refused.intentId, 'refused');
    expect((await read(approved)).status).toBe('succeeded');
    expect(await read(refused)).toMatchObject({
      status: 'requires_payment_method',
      error: { code: 'authentication_failed' },
    });
  });

  test('does not cancel an intent that the bank is processing', async (context) => {
    if (!world.authenticate) return context.skip('no card is slow there');
    const intent = await create();
    await world.pay(intent.intentId, 'pays later');
    expect((await world.provider.cancelIntent(intent.intentId)).status).toBe('processing');
  });

  test('reports refunds', async (context) => {
    if (!world.refund) return context.skip('this provider has no refunds');
    const intent = await create();
    await world.pay(intent.intentId, 'pays');
    await world.refund(intent.intentId, 5_000);
    expect(await read(intent)).toMatchObject({ status: 'succeeded', refundedAmount: 5_000 });
    await world.refund(intent.intentId);
    expect(await read(intent)).toMatchObject({ status: 'succeeded', refundedAmount: 18_050 });
  });

  test('reports disputes', async (context) => {
    if (!world.dispute) return context.skip('no bank questions anything there');
    const intent = await create();
    await world.pay(intent.intentId, 'pays');
    await world.dispute(intent.intentId);
    expect(await read(intent)).toMatchObject({
      status: 'succeeded',
      dispute: { status: 'open', amount: 18_050, openedAt: expect.any(Date) },
    });
  });
});

async function openSandbox(): Promise<World> {
  const testDatabase: TestDatabase = await createTestDatabase();
  const { intents, dependencies } = createPaymentWorld(testDatabase);
  const numbers: Record<Card, string> = {
    pays: '4242424242424242',
    declined: '4000000000000002',
    'no money': '4000000000009995',
    expired: '4000000000000069',
    'wrong code': '4000000000000127',
    'bank asks': '4000000000003220',
    'pays later': '4000000000000077',
  };
  return {
    provider: dependencies.provider,
    pay: (intentId, card) => intents.confirm(intentId, sandboxCard(numbers[card])),
    authenticate: intents.authenticate,
    stop: () => testDatabase.drop(),
  };
}

async function openSimulated(): Promise<World> {
  const simulator: StripeSimulator = await startStripeSimulator();
  const world = openStripe('rk_test_simulated', simulator.url);
  return {
    ...world,
    authenticate: async (intentId, outcome) => simulator.intents.authenticate(intentId, outcome),
    dispute: async (intentId) => simulator.intents.dispute(intentId),
    stop: simulator.stop,
  };
}

function openTestMode(secretKey: string) {
  return async (): Promise<World> => ({ ...openStripe(secretKey, null), stop: async () => {} });
}

/** Pays and refunds with calls to Stripe's test mode. */
function openStripe(secretKey: string, apiBase: string | null): Omit<World, 'stop'> {
  const { hostname, port } = new URL(apiBase ?? 'https://api.stripe.com');
  const stripe = new Stripe(secretKey, {
    host: hostname,
    ...(apiBase ? { port, protocol: 'http' } : {}),
  });
  const methods: Record<Card, string> = {
    pays: 'pm_card_visa',
    declined: 'pm_card_chargeDeclined',
    'no money': 'pm_card_chargeDeclinedInsufficientFunds',
    expired: 'pm_card_chargeDeclinedExpiredCard',
    'wrong code': 'pm_card_chargeDeclinedIncorrectCvc',
    'bank asks': 'pm_card_authenticationRequired',
    'pays later': 'pm_sim_later',
  };
  return {
    provider: createStripeProvider({
      secretKey,
      publishableKey: 'pk_test_1',
      webhookSecrets: ['whsec_1'],
      apiBase,
    }),
    pay: (intentId, card) =>
      stripe.paymentIntents.confirm(intentId, { payment_method: methods[card] }).catch((error: unknown) => {
        if (!(error instanceof Stripe.errors.StripeCardError)) throw error;
      }),
    refund: (intentId, amount) =>
      stripe.refunds.create({ payment_intent: intentId, ...(amount ? { amount } : {}) }),
  };
}
