import { randomUUID } from 'node:crypto';
import {
  createPaymentWorld,
  createTestClock,
  createTestDatabase,
  type StripeSimulator,
  sandboxCard,
  startStripeSimulator,
  type TestDatabase,
} from '@keyturn/testkit';
import Stripe from 'stripe';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SandboxDisputes } from '../../adapters/sandbox/sandbox-disputes.ts';
import { createStripeProvider } from '../../adapters/stripe/create-stripe-provider.ts';
import type { IntentTerms, ProviderIntent } from '../ports/intents.ts';
import { IdempotencyKeyConflict, IntentNotFound, type PaymentProvider } from '../ports/provider.ts';
import { RefundRefused } from '../ports/refunds.ts';

/** A provider with the actions of the payer and the firm. */
interface World {
  provider: PaymentProvider;
  pay(intentId: string, card: Card): Promise<unknown>;
  /** Undefined where only a browser could. */
  authenticate?(intentId: string, outcome: 'approved' | 'refused'): Promise<unknown>;
  /** The payer's bank returns a refund; undefined where only a real bank can do that. */
  failRefund?(refundId: string): unknown;
  /** Lets days pass; undefined where the test cannot move the clock. */
  wait?(days: number): void;
  /** The actions of the payer's bank and the firm on disputes; undefined where there is no bank. */
  bank?: Bank;
  stop(): Promise<void>;
}

interface Bank {
  /** Opens a dispute. @returns its id */
  dispute(intentId: string, options?: { isInquiry?: boolean }): Promise<string>;
  escalate(disputeId: string): Promise<unknown>;
  answer(disputeId: string): Promise<unknown>;
  decide(disputeId: string, outcome: 'won' | 'lost'): Promise<unknown>;
  /** Warns of fraud. @returns the id of the warning */
  warn(intentId: string): Promise<string>;
  openReview(intentId: string): Promise<string>;
  closeReview(reviewId: string): Promise<unknown>;
}

type Card = 'pays' | 'declined' | 'no money' | 'expired' | 'wrong code' | 'bank asks' | 'pays later';

const testKey = process.env.STRIPE_TEST_KEY;

const worlds: { name: string; open: () => Promise<World> }[] = [
  { name: 'the sandbox', open: openSandbox },
  { name: 'Stripe, simulated', open: openSimulated },
  // Only with a key of one's own: docs/stripe.md says how.
  ...(testKey ? [{ name: "Stripe's own test mode", open: openTestMode(testKey) }] : []),
];

const terms = (): IntentTerms => {
  const paymentId = randomUUID();
  return {
    paymentId,
    caseId: randomUUID(),
    kind: 'search',
    method: 'card',
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
      refunds: [],
      clearing: null,
      disputes: [],
    });
    expect(intent.clientSecret).toContain(`${intent.intentId}_secret_`);
    expect(await read(intent)).toEqual(intent);
  });

  test('creates one intent per key, also concurrently, and rejects other terms with the same key', async () => {
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

  test('lists what an intent says about its origin, with its receipt number and when it was captured', async () => {
    const requested = terms();
    const labels = {
      installationId: randomUUID(),
      searchId: randomUUID(),
      clientId: randomUUID(),
      matterId: null,
    };
    const intent = await create({ ...requested, labels });
    expect(intent).toMatchObject({ installationId: labels.installationId, capturedAt: null });
    await world.pay(intent.intentId, 'pays');
    await world.provider.labelIntent(intent.intentId, { receipt_number: 'R-2026-000007' });
    const clientId = randomUUID();
    await world.provider.labelIntent(intent.intentId, { client_id: clientId });
    expect(await read(intent)).toMatchObject({ clientId });
    const listed = await world.provider.listIntentLabels(new Date(Date.now() - 60_000));
    expect(listed.find(({ intentId }) => intentId === intent.intentId)).toMatchObject({
      ...labels,
      clientId,
      status: 'succeeded',
      amount: requested.amount,
      paymentId: requested.paymentId,
      caseId: requested.caseId,
      kind: 'search',
      method: 'card',
      receiptNumber: 'R-2026-000007',
    });
    expect((await read(intent)).capturedAt).toBeInstanceOf(Date);
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

  const refundOf = (intent: ProviderIntent, amount: number, key = randomUUID()) => ({
    intentId: intent.intentId,
    requestId: randomUUID(),
    amount,
    reason: 'requested_by_customer' as const,
    idempotencyKey: key,
  });

  test('refunds a part and the rest, and reports each refund with the request that it belongs to', async () => {
    const since = new Date(Date.now() - 60_000);
    const intent = await create();
    await world.pay(intent.intentId, 'pays');
    const first = refundOf(intent, 5_000);
    const made = await world.provider.createRefund(first);
    expect(made).toMatchObject({
      requestId: first.requestId,
      amount: 5_000,
      status: 'succeeded',
      reason: 'requested_by_customer',
      failureReason: null,
      createdAt: expect.any(Date),
    });
    await world.provider.createRefund(refundOf(intent, 13_050));
    const { refunds } = await read(intent);
    expect(refunds).toHaveLength(2);
    expect(refunds).toContainEqual(made);
    const listed = await world.provider.listRefunds(since);
    expect(listed).toContainEqual({ ...made, intentId: intent.intentId });
    expect(await world.provider.listRefunds(new Date(Date.now() + 60_000))).toEqual([]);
  });

  test('makes one refund per key, and rejects other terms with the same key', async () => {
    const intent = await create();
    await world.pay(intent.intentId, 'pays');
    const terms = refundOf(intent, 1_000);
    const made = await world.provider.createRefund(terms);
    expect((await world.provider.createRefund(terms)).refundId).toBe(made.refundId);
    expect((await read(intent)).refunds).toHaveLength(1);
    await expect(world.provider.createRefund({ ...terms, amount: 999 })).rejects.toThrow(
      IdempotencyKeyConflict,
    );
  });

  test('the provider refunds neither more than is left nor a payment that was not made', async () => {
    const [paid, unpaid] = [await create(), await create()];
    await world.pay(paid.intentId, 'pays');
    await world.provider.createRefund(refundOf(paid, 18_000));
    for (const terms of [refundOf(paid, 51), refundOf(unpaid, 50)]) {
      await expect(world.provider.createRefund(terms)).rejects.toThrow(RefundRefused);
    }
    await world.provider.createRefund(refundOf(paid, 50));
    await expect(world.provider.createRefund(refundOf(paid, 1))).rejects.toThrow(RefundRefused);
  });

  test('fault 76: reports refunds that failed, and refunds made again', async (context) => {
    if (!world.failRefund) return context.skip('no refund fails there');
    const intent = await create();
    await world.pay(intent.intentId, 'pays');
    const made = await world.provider.createRefund(refundOf(intent, 5_000));
    await world.failRefund(made.refundId);
    expect((await read(intent)).refunds).toMatchObject([
      { refundId: made.refundId, status: 'failed', failureReason: 'lost_or_stolen_card' },
    ]);
    await world.provider.createRefund(refundOf(intent, 18_050));
    const { refunds } = await read(intent);
    expect(refunds.map(({ amount, status }) => `${amount} ${status}`).sort()).toEqual([
      '18050 succeeded',
      '5000 failed',
    ]);
  });

  test('reports when the money clears, and that it has', async (context) => {
    if (!world.wait) return context.skip('this test cannot move the clock there');
    const intent = await create();
    await world.pay(intent.intentId, 'pays');
    const { clearing } = await read(intent);
    expect(clearing).toEqual({ on: expect.stringMatching(/^\d{4}-\d\d-\d\d$/), isCleared: false });
    world.wait(14);
    expect((await read(intent)).clearing).toEqual({ on: clearing?.on, isCleared: true });
  });

  test('reports a dispute with its reason, deadline and money, until the bank has decided', async (context) => {
    if (!world.bank) return context.skip('no bank disputes anything there');
    const intent = await create();
    await world.pay(intent.intentId, 'pays');
    const id = await world.bank.dispute(intent.intentId);
    const opened = (await read(intent)).disputes;
    expect(opened).toEqual([
      {
        disputeId: id,
        intentId: intent.intentId,
        isInquiry: false,
        status: 'needs_response',
        outcome: null,
        reason: 'fraudulent',
        reasonCode: '10.4',
        amount: 18_050,
        openedAt: expect.any(Date),
        evidenceDueBy: expect.any(Date),
        submissions: 0,
        withdrawnAmount: 18_050,
        withdrawnAt: expect.any(Date),
        reinstatedAmount: 0,
        reinstatedAt: null,
      },
    ]);
    await world.bank.answer(id);
    expect((await read(intent)).disputes).toEqual([{ ...opened[0], status: 'under_review', submissions: 1 }]);
    await world.bank.decide(id, 'won');
    expect((await read(intent)).disputes).toMatchObject([
      { status: 'closed', outcome: 'won', reinstatedAmount: 18_050, reinstatedAt: expect.any(Date) },
    ]);
    const second = await world.bank.dispute(intent.intentId);
    await world.bank.decide(second, 'lost');
    const both = (await read(intent)).disputes;
    expect(both.map(({ disputeId, outcome }) => [disputeId, outcome]).sort()).toEqual(
      [
        [id, 'won'],
        [second, 'lost'],
      ].sort(),
    );
  });

  test('reports an inquiry, which withdraws no money until it becomes a dispute', async (context) => {
    if (!world.bank) return context.skip('no bank asks anything there');
    const [asked, escalated] = [await create(), await create()];
    for (const { intentId } of [asked, escalated]) await world.pay(intentId, 'pays');
    const question = await world.bank.dispute(asked.intentId, { isInquiry: true });
    expect((await read(asked)).disputes).toMatchObject([
      { isInquiry: true, status: 'needs_response', outcome: null, withdrawnAmount: 0, withdrawnAt: null },
    ]);
    await world.bank.decide(question, 'won');
    expect((await read(asked)).disputes).toMatchObject([
      { isInquiry: true, status: 'closed', outcome: 'inquiry_closed' },
    ]);
    await world.bank.escalate(await world.bank.dispute(escalated.intentId, { isInquiry: true }));
    expect((await read(escalated)).disputes).toMatchObject([
      { isInquiry: false, status: 'needs_response', withdrawnAmount: 18_050 },
    ]);
  });

  test('lists disputes by their own date, however old their payments are', async (context) => {
    if (!world.bank || !world.wait) return context.skip('this test cannot move the clock there');
    const intent = await create();
    await world.pay(intent.intentId, 'pays');
    world.wait(40);
    const id = await world.bank.dispute(intent.intentId);
    const [dispute] = (await read(intent)).disputes;
    const openedAt = dispute?.openedAt ?? new Date(0);
    const listed = (since: number) => world.provider.listDisputes(new Date(openedAt.getTime() + since));
    expect((await listed(-1_000)).filter(({ disputeId }) => disputeId === id)).toEqual([dispute]);
    expect(await listed(1_000)).toEqual([]);
  });

  test('reports early fraud warnings and reviews, by their ids and by their dates', async (context) => {
    if (!world.bank || !world.wait) return context.skip('no bank warns of anything there');
    const intent = await create();
    await world.pay(intent.intentId, 'pays');
    world.wait(1);
    const warningId = await world.bank.warn(intent.intentId);
    const warning = await world.provider.retrieveFraudWarning(warningId);
    expect(warning).toEqual({
      warningId,
      intentId: intent.intentId,
      fraudType: 'made_with_stolen_card',
      isActionable: true,
      warnedAt: expect.any(Date),
    });
    const since = new Date((warning?.warnedAt.getTime() ?? 0) - 1_000);
    expect(await world.provider.listFraudWarnings(since)).toEqual([warning]);

    const reviewId = await world.bank.openReview(intent.intentId);
    const review = await world.provider.retrieveReview(reviewId);
    expect(review).toEqual({
      reviewId,
      intentId: intent.intentId,
      isOpen: true,
      openedReason: 'rule',
      closedReason: null,
      openedAt: expect.any(Date),
    });
    expect(await world.provider.listReviews(since)).toEqual([review]);
    await world.bank.closeReview(reviewId);
    expect(await world.provider.retrieveReview(reviewId)).toMatchObject({
      isOpen: false,
      closedReason: 'approved',
    });
    world.wait(1);
    const later = new Date(since.getTime() + 43_200_000);
    expect(await world.provider.listFraudWarnings(later)).toEqual([]);
    expect(await world.provider.listReviews(later)).toEqual([]);
    expect(await world.provider.retrieveFraudWarning('issfr_none')).toBeNull();
    expect(await world.provider.retrieveReview('prv_none')).toBeNull();
  });
});

async function openSandbox(): Promise<World> {
  const testDatabase: TestDatabase = await createTestDatabase();
  const clock = createTestClock();
  const { intents, disputes, dependencies } = createPaymentWorld(testDatabase, { clock });
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
    bank: sandboxBank(disputes),
    failRefund: (refundId) => intents.endRefund(refundId, 'failed'),
    wait: (days) => void clock.advance(days * 86_400_000),
    stop: () => testDatabase.drop(),
  };
}

const sandboxBank = (disputes: SandboxDisputes): Bank => ({
  dispute: async (intentId, options) => (await disputes.open(intentId, options)).id,
  escalate: disputes.escalate,
  answer: disputes.answer,
  decide: disputes.decide,
  warn: async (intentId) => (await disputes.warn(intentId)).id,
  openReview: async (intentId) => (await disputes.openReview(intentId)).id,
  closeReview: (id) => disputes.closeReview(id, 'approved'),
});

function simulatedBank({ intents, disputes, earlyFraudWarnings, reviews }: StripeSimulator): Bank {
  const chargeOf = (intentId: string) => intents.find(intentId).latest_charge ?? '';
  return {
    dispute: async (intentId, options) => disputes.open(chargeOf(intentId), options).id,
    escalate: async (id) => disputes.move(id, 'needs_response'),
    answer: async (id) => disputes.update(id, { evidence: { uncategorized_text: 'evidence' } }),
    decide: async (id, outcome) =>
      disputes.move(id, disputes.find(id).status.startsWith('warning') ? 'warning_closed' : outcome),
    warn: async (intentId) => earlyFraudWarnings.warn(chargeOf(intentId)).id,
    openReview: async (intentId) => reviews.open(chargeOf(intentId)).id,
    closeReview: async (id) => reviews.close(id, 'approved'),
  };
}

async function openSimulated(): Promise<World> {
  const simulator: StripeSimulator = await startStripeSimulator();
  const world = openStripe('rk_test_simulated', simulator.url);
  return {
    ...world,
    authenticate: async (intentId, outcome) => simulator.intents.authenticate(intentId, outcome),
    bank: simulatedBank(simulator),
    failRefund: (refundId) => simulator.refunds.fail(refundId),
    wait: (days) => void simulator.clock.advance(days * 86_400_000),
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
      stripe.paymentIntents
        .confirm(intentId, { payment_method: methods[card], return_url: 'https://example.com/payment' })
        .catch((error: unknown) => {
          if (!(error instanceof Stripe.errors.StripeCardError)) throw error;
        }),
  };
}
