import {
  createTestClock,
  measureSlowness,
  type StripeSimulator,
  startStripeSimulator,
} from '@keyturn/testkit';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  IdempotencyKeyConflict,
  IntentNotFound,
  MethodNotOffered,
  type PaymentProvider,
  ProviderKeyRejected,
  ProviderRefused,
  ProviderUnavailable,
} from '../../payments/ports/provider.ts';
import { createStripeProvider, type StripeOptions } from './create-stripe-provider.ts';

const terms = {
  paymentId: 'p1',
  caseId: 'c1',
  kind: 'search',
  method: 'card',
  amount: 1_000,
  currency: 'gbp',
  description: 'Local search',
  idempotencyKey: 'create-intent:p1:1',
} as const;

/** Milliseconds after which a silent Stripe counts as away. */
const timeout = Math.round(300 * measureSlowness());

describe('Stripe', () => {
  let simulator: StripeSimulator;
  let provider: PaymentProvider;
  const open = (options: Partial<StripeOptions> = {}) =>
    createStripeProvider({
      secretKey: 'sk_test_1',
      publishableKey: 'pk_test_1',
      webhookSecrets: ['whsec_next', simulator.webhookSecret],
      apiBase: simulator.url,
      timeout,
      ...options,
    });
  beforeEach(async () => {
    simulator = await startStripeSimulator(createTestClock());
    provider = open();
  });
  afterEach(() => simulator.stop());

  test('creates intents for cards only, in the pinned version and with the stored key', async () => {
    await provider.createIntent(terms);
    const [call] = simulator.calls;
    expect(call?.headers).toMatchObject({
      'idempotency-key': terms.idempotencyKey,
      'stripe-version': '2026-10-28.endive',
    });
    expect(Object.fromEntries(new URLSearchParams(call?.body))).toMatchObject({
      amount: '1000',
      currency: 'gbp',
      'allowed_payment_method_types[0]': 'card',
      'metadata[payment_id]': 'p1',
      'metadata[case_id]': 'c1',
      'metadata[kind]': 'search',
    });
  });

  test('creates intents for payments by bank, which are approved on the bank’s own page', async () => {
    await provider.createIntent({ ...terms, method: 'bank' });
    const body = Object.fromEntries(new URLSearchParams(simulator.calls[0]?.body));
    expect(body).toMatchObject({
      'allowed_payment_method_types[0]': 'pay_by_bank',
      'metadata[method]': 'bank',
    });
    // Only card statements show a suffix.
    expect(body).not.toHaveProperty('statement_descriptor_suffix');
  });

  test.each(['card', 'bank'] as const)(
    'sends Stripe the list of allowed methods for a payment by %s alone, because it excludes every other choice of methods',
    async (method) => {
      await provider.createIntent({ ...terms, method });
      const names = [...new URLSearchParams(simulator.calls[0]?.body).keys()];
      expect(names.filter((name) => name.includes('payment_method'))).toEqual([
        'allowed_payment_method_types[0]',
      ]);
    },
  );

  test('refuses a payment by bank that Stripe drops from an intent without an error, and cancels that intent', async () => {
    await expect(provider.createIntent({ ...terms, method: 'bank', amount: 1_000_001 })).rejects.toThrow(
      MethodNotOffered,
    );
    expect(simulator.intents.all()).toMatchObject([{ payment_method_types: [], status: 'canceled' }]);
    // Stripe repeats its answer to the same key, and the intent is cancelled by now.
    await expect(provider.createIntent({ ...terms, method: 'bank', amount: 1_000_001 })).rejects.toThrow(
      MethodNotOffered,
    );
  });

  test('reads a payment by bank, which has no card, as approved and then as settled', async () => {
    const { intentId } = await provider.createIntent({ ...terms, method: 'bank' });
    simulator.intents.confirm(intentId, 'pm_sim_pay_by_bank', 'https://firm.test/payment');
    expect(await provider.retrieveIntent(intentId)).toMatchObject({ status: 'requires_action' });
    simulator.intents.answerAtBank(intentId, 'authorised');
    expect(await provider.retrieveIntent(intentId)).toMatchObject({ status: 'processing', card: null });
    // The money is on its way once approved, so the intent can no longer be cancelled.
    expect(await provider.cancelIntent(intentId)).toMatchObject({ status: 'processing' });
    simulator.intents.settle(intentId);
    expect(await provider.retrieveIntent(intentId)).toMatchObject({
      status: 'succeeded',
      card: null,
      error: null,
      clearing: { isCleared: false },
    });
    const [label] = await provider.listIntentLabels(new Date(0));
    expect(label).toMatchObject({ method: 'bank' });
  });

  test.each([
    ['declined', 'bank_declined'],
    ['cancelled', 'bank_cancelled'],
    ['timed_out', 'bank_timed_out'],
  ] as const)('reads from Stripe that a payment was %s at the bank', async (refusal, code) => {
    const { intentId } = await provider.createIntent({ ...terms, method: 'bank' });
    simulator.intents.confirm(intentId, 'pm_sim_pay_by_bank');
    simulator.intents.answerAtBank(intentId, refusal);
    expect(await provider.retrieveIntent(intentId)).toMatchObject({
      status: 'requires_payment_method',
      error: { code },
    });
  });

  test('reads from Stripe that the money of an approved payment by bank never arrived', async () => {
    const { intentId } = await provider.createIntent({ ...terms, method: 'bank' });
    simulator.intents.confirm(intentId, 'pm_sim_pay_by_bank');
    simulator.intents.answerAtBank(intentId, 'authorised');
    simulator.intents.failToSettle(intentId);
    expect(await provider.retrieveIntent(intentId)).toMatchObject({
      status: 'requires_payment_method',
      error: { code: 'bank_failed' },
    });
  });

  test('accepts payments by bank only if the account has that capability', async () => {
    expect(provider.acceptsBankPayments()).toBe(false);
    await provider.readAccountId();
    expect(provider.acceptsBankPayments()).toBe(true);
    Object.assign(simulator.object, { capabilities: { pay_by_bank_payments: 'pending' } });
    const without = open();
    await without.readAccountId();
    expect(without.acceptsBankPayments()).toBe(false);
    await expect(without.createIntent({ ...terms, method: 'bank' })).rejects.toThrow(ProviderRefused);
  });

  test('fault 87: detects within ten minutes that the firm switched pay by bank on or off, even after an outage of Stripe', async () => {
    const { clock, object } = simulator;
    const switchTo = (pay_by_bank_payments: 'active' | 'inactive') =>
      Object.assign(object, { capabilities: { pay_by_bank_payments } });
    switchTo('inactive');
    const current = open({ clock });
    await current.readAccountId();
    expect(current.acceptsBankPayments()).toBe(false);
    switchTo('active');
    const calls = simulator.calls.length;
    clock.advance(9 * 60_000);
    await current.readAccountId();
    expect(simulator.calls).toHaveLength(calls);
    clock.advance(60_000);
    simulator.faults.push(429);
    await expect(current.readAccountId()).rejects.toThrow(ProviderUnavailable);
    expect(current.knownAccountId()).toMatch(/^acct_/);
    await current.readAccountId();
    expect(current.acceptsBankPayments()).toBe(true);
    switchTo('inactive');
    clock.advance(10 * 60_000);
    await current.readAccountId();
    expect(current.acceptsBankPayments()).toBe(false);
  });

  test.each(['apple_pay', 'google_pay'] as const)(
    'reads from Stripe that a card was in the wallet %s',
    async (wallet) => {
      const { intentId } = await provider.createIntent(terms);
      simulator.intents.confirm(intentId, `pm_sim_${wallet}`);
      const { card } = await provider.retrieveIntent(intentId);
      expect(card).toEqual({ brand: 'visa', last4: '4242', wallet });
    },
  );

  test('shows the case on the payer’s statement if the account’s name leaves room', async () => {
    const statement = { firmName: 'Alder & Finch', caseReference: 'KT-2026-00421*"' };
    const unknown = await provider.createIntent({ ...terms, statement });
    expect(unknown.statementDescriptor).toBeNull();
    await provider.readAccountId();
    const known = await provider.createIntent({ ...terms, statement, idempotencyKey: 'create-intent:p2:1' });
    expect(known.statementDescriptor).toBe('KEYTURN* KT-2026-00421');
    expect(simulator.intents.all().map((intent) => intent.statement_descriptor_suffix)).toEqual([
      'REF 00421',
      'KT-2026-00421',
    ]);
    simulator.intents.confirm(unknown.intentId, 'pm_card_visa');
    const paid = await provider.retrieveIntent(unknown.intentId);
    expect(paid.statementDescriptor).toBe('KEYTURN* REF 00421');
  });

  test.each(['broken before', 'broken after', 'silent before', 'silent after', 409, 503] as const)(
    'creates one intent at Stripe when the first answer was %s',
    async (fault) => {
      simulator.faults.push(fault);
      const { intentId } = await provider.createIntent(terms);
      expect(simulator.intents.all().map(({ id }) => id)).toEqual([intentId]);
      expect(simulator.calls).toHaveLength(2);
    },
  );

  test.each(['broken after', 'silent after', 503, 409] as const)(
    'fault 8: reports an unknown outcome after three attempts that were %s, and gets the same intent with the same key',
    async (fault) => {
      simulator.faults.push(fault, fault, fault);
      await expect(provider.createIntent(terms)).rejects.toThrow(ProviderUnavailable);
      expect(simulator.calls).toHaveLength(3);
      const { intentId } = await provider.createIntent(terms);
      expect(simulator.intents.all().map(({ id }) => id)).toEqual([intentId]);
    },
  );

  test('fault 8: reports an unknown outcome, never a missing intent, when Stripe limits the rate', async () => {
    const { intentId } = await provider.createIntent(terms);
    simulator.faults.push(429);
    await expect(provider.retrieveIntent(intentId)).rejects.toThrow(ProviderUnavailable);
    await expect(provider.retrieveIntent('pi_none')).rejects.toThrow(IntentNotFound);
  });

  test('Stripe creates a second intent for an idempotency key that is 24 hours old', async () => {
    const first = await provider.createIntent(terms);
    simulator.clock.advance(23 * 3_600_000);
    expect((await provider.createIntent(terms)).intentId).toBe(first.intentId);
    simulator.clock.advance(2 * 3_600_000);
    expect((await provider.createIntent(terms)).intentId).not.toBe(first.intentId);
  });

  test('reports a rejected secret key or idempotency key without naming it', async () => {
    await provider.createIntent(terms);
    const refusals: [Promise<unknown>, typeof ProviderKeyRejected | typeof IdempotencyKeyConflict][] = [
      [open({ secretKey: 'sk_live_s3cret' }).createIntent(terms), ProviderKeyRejected],
      [provider.createIntent({ ...terms, amount: 2_000 }), IdempotencyKeyConflict],
    ];
    for (const [refused, kind] of refusals) {
      const reason = await refused.catch((error: Error) => error);
      expect(reason).toBeInstanceOf(kind);
      expect((reason as Error).message).toMatch(/^Stripe (refused|rejects the key): /);
      expect((reason as Error).message).not.toMatch(/s3cret|create-intent/);
    }
  });

  test('reports a stolen card as a plain decline', async () => {
    const { intentId } = await provider.createIntent(terms);
    expect(() => simulator.intents.confirm(intentId, 'pm_card_chargeDeclinedStolenCard')).toThrow();
    expect(await provider.retrieveIntent(intentId)).toMatchObject({
      error: { code: 'card_declined', message: 'The card was declined.' },
      card: { brand: 'visa', last4: '4242' },
    });
  });

  test('lists balance transactions with their amounts, fees and intents', async () => {
    const { intentId } = await provider.createIntent(terms);
    simulator.intents.confirm(intentId, 'pm_card_visa');
    simulator.intents.refund(intentId, 300);
    simulator.intents.failRefund(intentId);
    simulator.intents.dispute(intentId);
    const since = new Date(simulator.clock().getTime() - 1_000);
    expect(await provider.listBalanceTransactions({ since })).toMatchObject([
      { kind: 'dispute', amount: -1_000, fee: 2_000, intentId },
      { kind: 'refund_failure', amount: 300, fee: 0, intentId },
      { kind: 'refund', amount: -300, fee: 0, intentId },
      { kind: 'charge', amount: 1_000, fee: 35, intentId },
    ]);
  });

  test('the Stripe adapter reports the day on which Stripe makes money available as the day on which it clears', async () => {
    simulator.clock.set('2026-11-02T09:00:00Z');
    const { intentId } = await provider.createIntent(terms);
    simulator.intents.confirm(intentId, 'pm_card_visa');
    expect((await provider.retrieveIntent(intentId)).clearing).toEqual({
      on: '2026-11-05',
      isCleared: false,
    });
  });

  test('reads every refund of a payment, even when Stripe sends only the latest ten with its charge', async () => {
    const { intentId } = await provider.createIntent(terms);
    simulator.intents.confirm(intentId, 'pm_card_visa');
    for (let count = 0; count < 12; count += 1) simulator.intents.refund(intentId, 10);
    const { refunds } = await provider.retrieveIntent(intentId);
    expect(new Set(refunds.map(({ refundId }) => refundId)).size).toBe(12);
  });

  describe('webhooks of Stripe', () => {
    const read = (body: string, header: string | undefined, now = simulator.clock()) =>
      provider.readWebhook(Buffer.from(body), header ? { 'stripe-signature': header } : {}, now);
    const paid = async () => {
      const { intentId, clientSecret } = await provider.createIntent(terms);
      simulator.intents.confirm(intentId, 'pm_card_visa');
      const event = simulator.webhooks.waiting.at(-1);
      if (!event) throw new Error('there is no event');
      return { ...event, intentId, clientSecret };
    };

    test('fault 17: reads a webhook signed with any of the secrets, and drops the client secret', async () => {
      const { id, body, intentId, clientSecret } = await paid();
      for (const secret of [simulator.webhookSecret, 'whsec_next']) {
        const event = read(body, simulator.webhooks.sign(body, { secret }));
        expect(event).toMatchObject({ id, type: 'payment_intent.succeeded', intentId });
        expect(body).toContain(clientSecret);
        expect(JSON.stringify(event)).not.toContain(clientSecret);
      }
    });

    test('rejects a Stripe webhook that is forged, changed, unsigned, of the other mode or six minutes off', async () => {
      const { body } = await paid();
      const { sign } = simulator.webhooks;
      const live = JSON.stringify({ ...JSON.parse(body), livemode: true });
      const minutes = (count: number) => new Date(simulator.clock().getTime() + count * 60_000);
      expect(read(body, sign(body, { secret: 'whsec_forged' }))).toBeNull();
      expect(read(`${body} `, sign(body))).toBeNull();
      expect(read(body, undefined)).toBeNull();
      expect(read('no json', sign('no json'))).toBeNull();
      expect(read(live, sign(live))).toBeNull();
      expect(read(body, sign(body, { at: minutes(-6) }))).toBeNull();
      expect(read(body, sign(body, { at: minutes(6) }))).toBeNull();
      expect(read(body, sign(body, { at: minutes(-4) }))).not.toBeNull();
      expect(read(body, sign(body, { at: minutes(4) }))).not.toBeNull();
    });

    test('finds the intent of a charge in a webhook, and none in an event about something else', async () => {
      const { intentId } = await paid();
      simulator.intents.refund(intentId, 100);
      const refund = simulator.webhooks.waiting.at(-1)?.body ?? '';
      expect(read(refund, simulator.webhooks.sign(refund))).toMatchObject({
        type: 'charge.refunded',
        intentId,
      });
      const others = [
        { object: 'payout', id: 'po_1' },
        { object: 'payment_intent', id: 'pi_1', metadata: {} },
      ];
      for (const object of others) {
        const body = JSON.stringify({ id: 'evt_1', type: 'new.kind', livemode: false, data: { object } });
        expect(read(body, simulator.webhooks.sign(body))).toMatchObject({ id: 'evt_1', intentId: null });
      }
    });
  });
});
