import Stripe from 'stripe';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createTestClock } from '../test-clock.ts';
import { type StripeSimulator, startStripeSimulator } from './start-stripe-simulator.ts';

const day = 86_400_000;

let simulator: StripeSimulator;
let stripe: Stripe;
const withKey = (key: string) => {
  const { hostname, port } = new URL(simulator.url);
  return new Stripe(key, { host: hostname, port, protocol: 'http', maxNetworkRetries: 0 });
};
beforeEach(async () => {
  simulator = await startStripeSimulator(createTestClock('2026-11-20T09:30:00Z'));
  stripe = withKey('sk_test_1');
});
afterEach(() => simulator.stop());

const create = (amount = 5_000) => stripe.paymentIntents.create({ amount, currency: 'gbp' });
const pay = async (amount = 5_000) => {
  const { id } = await create(amount);
  return { id, chargeId: simulator.intents.confirm(id, 'pm_card_visa').latest_charge ?? '' };
};
const typesSince = (count: number) => simulator.webhooks.waiting.slice(count).map(({ type }) => type);

describe('expansion', () => {
  test('the Stripe simulator answers with ids, and with objects where the request expands them', async () => {
    const { id } = await pay();
    const plain = await stripe.paymentIntents.retrieve(id);
    expect(plain).toMatchObject({
      latest_charge: expect.stringMatching(/^ch_/),
      payment_method: expect.stringMatching(/^pm_/),
    });
    const expand = ['latest_charge.balance_transaction', 'latest_charge.refunds', 'payment_method'];
    const expanded = await stripe.paymentIntents.retrieve(id, { expand });
    expect(expanded).toMatchObject({
      latest_charge: {
        id: plain.latest_charge,
        payment_intent: id,
        balance_transaction: { object: 'balance_transaction', amount: 5_000 },
        refunds: { object: 'list', data: [], has_more: false },
      },
      payment_method: { id: plain.payment_method, card: { last4: '4242' } },
    });
  });

  test('the Stripe simulator expands the items of lists', async () => {
    await pay();
    const { data } = await stripe.paymentIntents.list({ expand: ['data.latest_charge'] });
    expect(data).toMatchObject([{ latest_charge: { object: 'charge' } }]);
    const { data: entries } = await stripe.balanceTransactions.list({
      expand: ['data.source.payment_intent'],
    });
    expect(entries).toMatchObject([
      { source: { object: 'charge', payment_intent: { status: 'succeeded' } } },
    ]);
  });

  test.each([
    [['amount'], 'This property cannot be expanded (amount).'],
    [['latest_charge.nothing'], 'This property cannot be expanded (latest_charge.nothing).'],
    [['data.latest_charge'], 'This property cannot be expanded (data.latest_charge).'],
    [['last_payment_error'], 'This property cannot be expanded (last_payment_error).'],
    [
      ['latest_charge.payment_intent.latest_charge.payment_intent.latest_charge'],
      'You cannot expand more than 4 levels of a property.',
    ],
  ])('the Stripe simulator rejects the expansion of %s', async (expand, message) => {
    const { id } = await create();
    await expect(stripe.paymentIntents.retrieve(id, { expand })).rejects.toMatchObject({
      statusCode: 400,
      type: 'StripeInvalidRequestError',
      message,
    });
  });

  test('the Stripe simulator never expands objects in webhooks', async () => {
    await pay();
    const { object } = JSON.parse(simulator.webhooks.waiting.at(-1)?.body ?? '').data;
    expect(object).toMatchObject({ object: 'payment_intent', latest_charge: expect.stringMatching(/^ch_/) });
  });
});

test('an intent keeps a declined charge as its latest one until another card pays', async () => {
  const { id } = await create();
  await expect(
    stripe.paymentIntents.confirm(id, {
      payment_method: 'pm_card_chargeDeclinedInsufficientFunds',
      return_url: 'https://firm.example/return',
    }),
  ).rejects.toMatchObject({
    type: 'StripeCardError',
    code: 'card_declined',
    decline_code: 'insufficient_funds',
  });
  const declined = await stripe.paymentIntents.retrieve(id, { expand: ['latest_charge'] });
  expect(declined).toMatchObject({
    status: 'requires_payment_method',
    amount_received: 0,
    last_payment_error: { code: 'card_declined', payment_method: { card: { last4: '4242' } } },
    latest_charge: { status: 'failed', paid: false, captured: false, outcome: { type: 'issuer_declined' } },
  });
  simulator.intents.confirm(id, 'pm_card_visa');
  const paid = await stripe.paymentIntents.retrieve(id, { expand: ['latest_charge'] });
  expect(paid).toMatchObject({
    status: 'succeeded',
    amount_received: 5_000,
    last_payment_error: null,
    latest_charge: { status: 'succeeded', paid: true, captured: true, outcome: { type: 'authorized' } },
  });
  expect((await stripe.charges.list({ payment_intent: id })).data.map(({ status }) => status)).toEqual([
    'succeeded',
    'failed',
  ]);
});

test('the payer’s bank authenticates in the page or on its own page', async () => {
  const [inPage, elsewhere] = [await create(), await create()];
  simulator.intents.confirm(inPage.id, 'pm_card_authenticationRequired');
  simulator.intents.confirm(elsewhere.id, 'pm_sim_redirect', 'https://firm.example/return');
  expect(await stripe.paymentIntents.retrieve(inPage.id)).toMatchObject({
    status: 'requires_action',
    next_action: { type: 'use_stripe_sdk' },
  });
  expect(await stripe.paymentIntents.retrieve(elsewhere.id)).toMatchObject({
    next_action: { redirect_to_url: { return_url: 'https://firm.example/return' } },
  });
  simulator.intents.authenticate(inPage.id, 'approved');
  expect(await stripe.paymentIntents.retrieve(inPage.id)).toMatchObject({
    status: 'succeeded',
    next_action: null,
  });
});

describe('refunds', () => {
  test('refunds can be partial, but cannot exceed the remaining amount', async () => {
    const { id } = await pay();
    const before = simulator.webhooks.waiting.length;
    const refund = await stripe.refunds.create({
      payment_intent: id,
      amount: 1_000,
      metadata: { case: '17' },
    });
    expect(refund).toMatchObject({ status: 'succeeded', amount: 1_000, metadata: { case: '17' } });
    expect(typesSince(before)).toEqual(['refund.created', 'charge.refunded']);
    await expect(stripe.refunds.create({ payment_intent: id, amount: 4_001 })).rejects.toThrow(
      'greater than',
    );
    await stripe.refunds.create({ payment_intent: id });
    await expect(stripe.refunds.create({ payment_intent: id })).rejects.toMatchObject({
      code: 'charge_already_refunded',
    });
    expect((await stripe.refunds.list({ payment_intent: id })).data.map(({ amount }) => amount)).toEqual([
      4_000, 1_000,
    ]);
    const [charge] = (await stripe.charges.list({ payment_intent: id })).data;
    expect(charge).toMatchObject({ amount_refunded: 5_000, refunded: true });
  });

  test('refunds can fail later, which returns the money to the balance', async () => {
    const { id } = await pay();
    const refund = await stripe.refunds.create({ payment_intent: id, amount: 1_000 });
    const before = simulator.webhooks.waiting.length;
    const balance = simulator.balanceTransactions.balance();
    simulator.refunds.fail(refund.id);
    const failed = await stripe.refunds.retrieve(refund.id, { expand: ['failure_balance_transaction'] });
    expect(failed).toMatchObject({
      status: 'failed',
      failure_reason: 'lost_or_stolen_card',
      failure_balance_transaction: { type: 'refund_failure', amount: 1_000 },
    });
    expect(typesSince(before)).toEqual(['charge.refund.updated', 'refund.updated', 'refund.failed']);
    expect(simulator.balanceTransactions.balance()).toBe(balance + 1_000);
    expect((await stripe.charges.list({ payment_intent: id })).data).toMatchObject([{ amount_refunded: 0 }]);
  });

  test('refunds take the available balance: one by card waits, and one by bank fails', async () => {
    simulator.balanceTransactions.float.amount = 4_000;
    const { id } = await pay();
    expect(await stripe.balance.retrieve()).toMatchObject({
      available: [{ amount: 4_000, currency: 'gbp' }],
      pending: [{ amount: 4_905 }],
    });
    expect(await stripe.refunds.create({ payment_intent: id, amount: 4_000 })).toMatchObject({
      status: 'succeeded',
    });
    expect(await stripe.refunds.create({ payment_intent: id, amount: 100 })).toMatchObject({
      status: 'pending',
      pending_reason: 'insufficient_funds',
    });
    const byBank = await stripe.paymentIntents.create({
      amount: 5_000,
      currency: 'gbp',
      allowed_payment_method_types: ['pay_by_bank'],
    });
    simulator.intents.confirm(byBank.id, 'pm_sim_pay_by_bank', 'https://example.test');
    simulator.intents.settle(simulator.intents.answerAtBank(byBank.id, 'authorised').id);
    const balance = simulator.balanceTransactions.balance();
    expect(await stripe.refunds.create({ payment_intent: byBank.id })).toMatchObject({
      status: 'failed',
      failure_reason: 'insufficient_funds',
      balance_transaction: null,
    });
    expect(simulator.balanceTransactions.balance()).toBe(balance);
    simulator.clock.advance(731 * day);
    await expect(stripe.refunds.create({ payment_intent: byBank.id })).rejects.toMatchObject({
      statusCode: 400,
    });
  });

  test('refunds can be pending, require an action and be cancelled', async () => {
    const { id } = await pay();
    simulator.refunds.nextStatuses.push('pending', 'requires_action', 'failed');
    const [pending, waiting, failed] = [
      await stripe.refunds.create({ payment_intent: id, amount: 100 }),
      await stripe.refunds.create({ payment_intent: id, amount: 200 }),
      await stripe.refunds.create({ payment_intent: id, amount: 300 }),
    ];
    expect([pending, waiting, failed].map(({ status }) => status)).toEqual([
      'pending',
      'requires_action',
      'failed',
    ]);
    expect(pending).toMatchObject({ balance_transaction: null, pending_reason: 'processing' });
    simulator.refunds.succeed(pending.id);
    await stripe.refunds.cancel(waiting.id);
    expect((await stripe.refunds.list()).data.map(({ status }) => status)).toEqual([
      'failed',
      'canceled',
      'succeeded',
    ]);
    expect((await stripe.charges.list()).data).toMatchObject([{ amount_refunded: 100 }]);
  });
});

describe('disputes', () => {
  test('disputes withdraw the money with a fee, block refunds, and return the money when won', async () => {
    const { id, chargeId } = await pay();
    const before = simulator.webhooks.waiting.length;
    const balance = simulator.balanceTransactions.balance();
    simulator.intents.dispute(id, undefined, { reason: 'product_not_received' });
    const [dispute] = (await stripe.disputes.list({ charge: chargeId })).data;
    expect(dispute).toMatchObject({
      reason: 'product_not_received',
      status: 'needs_response',
      evidence_details: { due_by: Date.parse('2026-11-30T09:30:00Z') / 1000 },
      balance_transactions: [{ amount: -5_000, fee: 2_000, type: 'adjustment' }],
    });
    expect(simulator.balanceTransactions.balance()).toBe(balance - 7_000);
    await expect(stripe.refunds.create({ payment_intent: id })).rejects.toMatchObject({
      code: 'charge_disputed',
    });
    await stripe.disputes.update(dispute?.id ?? '', {
      evidence: { uncategorized_text: 'Ordered by the client' },
    });
    simulator.intents.moveDispute(id, 'won');
    expect(simulator.balanceTransactions.balance()).toBe(balance - 2_000);
    expect(typesSince(before)).toEqual([
      'charge.dispute.created',
      'charge.dispute.funds_withdrawn',
      'charge.dispute.updated',
      'charge.dispute.closed',
      'charge.dispute.funds_reinstated',
    ]);
  });

  test('disputes are listed by their creation date', async () => {
    const { id } = await pay();
    simulator.clock.advance(40 * day);
    const since = Math.floor(simulator.clock().getTime() / 1000);
    simulator.intents.dispute(id);
    expect((await stripe.disputes.list({ created: { gte: since } })).data).toHaveLength(1);
    expect((await stripe.disputes.list({ created: { gte: since + 1 } })).data).toEqual([]);
    expect((await stripe.paymentIntents.list({ created: { gte: since } })).data).toEqual([]);
  });

  test('the Stripe simulator withdraws no money for an inquiry', async () => {
    const { id } = await pay();
    simulator.intents.dispute(id, undefined, { isInquiry: true });
    expect((await stripe.disputes.list({ payment_intent: id })).data).toMatchObject([
      { status: 'warning_needs_response', balance_transactions: [], is_charge_refundable: true },
    ]);
    simulator.intents.moveDispute(id, 'needs_response');
    expect((await stripe.disputes.list()).data[0]?.balance_transactions).toHaveLength(1);
  });
});

test('reports early fraud warnings and reviews', async () => {
  const { id, chargeId } = await pay();
  const before = simulator.webhooks.waiting.length;
  simulator.earlyFraudWarnings.warn(chargeId);
  const review = simulator.reviews.open(chargeId);
  expect((await stripe.radar.earlyFraudWarnings.list({ payment_intent: id })).data).toMatchObject([
    { actionable: true, charge: chargeId },
  ]);
  expect((await stripe.reviews.list()).data).toMatchObject([{ open: true, payment_intent: id }]);
  expect(await stripe.paymentIntents.retrieve(id)).toMatchObject({ review: review.id });
  simulator.reviews.close(review.id, 'refunded_as_fraud');
  expect((await stripe.reviews.list()).data).toEqual([]);
  expect(typesSince(before)).toEqual(['radar.early_fraud_warning.created', 'review.opened', 'review.closed']);
});

test('pays out what is available, and lists the transactions of a payout', async () => {
  const { id } = await pay(10_000);
  await stripe.refunds.create({ payment_intent: id, amount: 1_000 });
  expect(simulator.payouts.create()).toBeNull();
  simulator.clock.advance(4 * day);
  const payout = simulator.payouts.create();
  expect(payout).toMatchObject({ amount: 10_000 - 170 - 1_000, status: 'in_transit' });
  simulator.payouts.arrive(payout?.id ?? '');
  const [listed] = (await stripe.payouts.list({ status: 'paid' })).data;
  const { data } = await stripe.balanceTransactions.list({ payout: listed?.id ?? '' });
  expect(data.map(({ type, net }) => [type, net])).toEqual([
    ['payout', -8_830],
    ['refund', -1_000],
    ['charge', 9_830],
  ]);
  expect(simulator.balanceTransactions.balance()).toBe(0);
  simulator.payouts.fail(listed?.id ?? '');
  expect(simulator.balanceTransactions.balance()).toBe(8_830);
  expect(typesSince(0).filter((type) => type.startsWith('payout.'))).toEqual([
    'payout.created',
    'payout.paid',
    'payout.reconciliation_completed',
    'payout.failed',
  ]);
});

test('the Stripe simulator paginates lists, newest first', async () => {
  const ids = [];
  for (let count = 0; count < 5; count++) ids.unshift((await create(1_000 + count)).id);
  const first = await stripe.paymentIntents.list({ limit: 2 });
  expect(first).toMatchObject({ has_more: true, data: [{ id: ids[0] }, { id: ids[1] }] });
  const next = await stripe.paymentIntents.list({ limit: 3, starting_after: ids[1] ?? '' });
  expect(next.data.map(({ id }) => id)).toEqual(ids.slice(2));
  expect(next.has_more).toBe(false);
  const before = await stripe.paymentIntents.list({ limit: 1, ending_before: ids[2] ?? '' });
  expect(before).toMatchObject({ has_more: true, data: [{ id: ids[1] }] });
  await expect(stripe.paymentIntents.list({ limit: 101 })).rejects.toMatchObject({ param: 'limit' });
});

test('the Stripe simulator keeps events for 30 days', async () => {
  await pay();
  const types = ['payment_intent.succeeded', 'charge.succeeded'];
  expect((await stripe.events.list({ types })).data.map(({ type }) => type)).toEqual(types);
  expect((await stripe.events.list({ type: 'charge.failed' })).data).toEqual([]);
  simulator.clock.advance(31 * day);
  expect((await stripe.events.list()).data).toEqual([]);
});

describe('accounts', () => {
  test('each Stripe account has separate objects, keys and webhooks', async () => {
    const other = simulator.addAccount({ name: 'Client account' });
    const { id } = await create();
    await expect(withKey(other.secretKey).paymentIntents.retrieve(id)).rejects.toMatchObject({
      statusCode: 404,
      code: 'resource_missing',
    });
    expect(await withKey(other.secretKey).accounts.retrieveCurrent()).toMatchObject({ id: other.id });
    expect(await stripe.accounts.retrieveCurrent()).toMatchObject({ id: simulator.id });
    expect(other.webhooks.waiting).toEqual([]);
    expect(other.webhookSecret).not.toBe(simulator.webhookSecret);
  });

  test('a Stripe account rejects rolled keys, and accepts live keys only in live mode', async () => {
    const live = simulator.addAccount({ id: simulator.id, isLive: true });
    const intent = await withKey(live.secretKey).paymentIntents.create({ amount: 100, currency: 'gbp' });
    expect(intent.livemode).toBe(true);
    await expect(stripe.paymentIntents.retrieve(intent.id)).rejects.toMatchObject({
      code: 'resource_missing',
    });
    live.secretKeys.clear();
    await expect(withKey(live.secretKey).paymentIntents.retrieve(intent.id)).rejects.toMatchObject({
      statusCode: 401,
    });
  });
});

test('the Stripe simulator rejects calls above the rate limit with Stripe’s error', async () => {
  simulator.faults.push(429);
  await expect(create()).rejects.toMatchObject({
    statusCode: 429,
    rawType: 'invalid_request_error',
    code: 'rate_limit',
  });
});
