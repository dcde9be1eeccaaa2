import Stripe from 'stripe';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type StripeSimulator, startStripeSimulator } from '../start-stripe-simulator.ts';
import type { StripeCharge } from '../stripe-state.ts';
import { assertError } from './assert-described.ts';

let simulator: StripeSimulator;
let stripe: Stripe;
beforeEach(async () => {
  simulator = await startStripeSimulator();
  const { hostname, port } = new URL(simulator.url);
  stripe = new Stripe('sk_test_1', { host: hostname, port, protocol: 'http', maxNetworkRetries: 0 });
});
afterEach(() => simulator.stop());

const expand = ['latest_charge.refunds', 'payment_method'];
const pay = async () => {
  const { id } = await stripe.paymentIntents.create({ amount: 5_000, currency: 'gbp' });
  const { latest_charge } = simulator.intents.confirm(id, 'pm_card_visa');
  return { id, charge: simulator.charges.find(latest_charge ?? '') };
};
/** Returns and clears the recorded differences, so that the end of the test does not report them. */
const noted = () => simulator.differences.splice(0);

test('records no differences for answers, requests and events that match Stripe’s description', async () => {
  const { id } = await pay();
  simulator.intents.refund(id, 100);
  await stripe.paymentIntents.retrieve(id, { expand });
  expect(simulator.differences).toEqual([]);
});

describe('an answer that Stripe could not give', () => {
  test.each<[string, (charge: StripeCharge) => unknown, string]>([
    ['without a field', (charge) => Reflect.deleteProperty(charge, 'paid'), 'latest_charge.paid: missing'],
    ['with an unknown field', (charge) => Object.assign(charge, { fee: 95 }), 'latest_charge.fee: unknown'],
    [
      'with text for a number',
      (charge) => Object.assign(charge, { created: 'today' }),
      'latest_charge.created: "today", expected number',
    ],
    [
      'with null for a value that is always there',
      (charge) => Object.assign(charge, { currency: null }),
      'latest_charge.currency: null, expected string',
    ],
    [
      'with an unknown status',
      (charge) => Object.assign(charge, { status: 'paid' }),
      'latest_charge.status: "paid", expected one of failed, pending, succeeded',
    ],
    [
      'with an object that the request does not expand',
      (charge) => Object.assign(charge, { balance_transaction: { id: 'txn_1' } }),
      'latest_charge.balance_transaction: {"id":"txn_1"}, expected an id, because the request does not expand it',
    ],
    [
      'with an invalid field of a nested object',
      (charge) => Object.assign(charge.payment_method_details?.card ?? {}, { last4: 4242 }),
      'latest_charge.payment_method_details.card.last4: 4242, expected null or string',
    ],
  ])('an answer %s is recorded as a difference', async (_what, change, difference) => {
    const { id, charge } = await pay();
    change(charge);
    await expect(stripe.paymentIntents.retrieve(id, { expand })).rejects.toThrow('differs from Stripe');
    expect(noted()).toEqual([`the answer to GET /v1/payment_intents/:id: ${difference}`]);
  });

  test('an answer with a list that was not requested is recorded', async () => {
    const { charge } = await pay();
    Object.assign(charge, { refunds: { object: 'list', data: [], has_more: false, url: '/v1/refunds' } });
    await expect(stripe.charges.list()).rejects.toThrow('differs from Stripe');
    expect(noted()).toEqual([
      'the answer to GET /v1/charges: data[0].refunds: only included where a request expands it',
    ]);
  });

  test('an answer that Stripe could not give makes the end of the test fail', async () => {
    const { charge } = await pay();
    Reflect.deleteProperty(charge, 'paid');
    await expect(stripe.charges.retrieve(charge.id)).rejects.toThrow();
    await expect(simulator.stop()).rejects.toThrow('paid: missing');
    noted();
  });
});

test('an event that Stripe could not send is recorded, and cannot be delivered', async () => {
  const { id, charge } = await pay();
  const sent = simulator.webhooks.waiting.length;
  Object.assign(charge, { captured: 'yes' });
  expect(() => simulator.intents.refund(id, 100)).toThrow('captured: "yes", expected boolean');
  expect(noted()).toEqual(['the event charge.refunded: captured: "yes", expected boolean']);
  expect(simulator.webhooks.waiting.slice(sent).map(({ type }) => type)).toEqual(['refund.created']);
});

describe('a request that Stripe does not describe', () => {
  test.each<[string, () => Promise<unknown>, string, string | undefined]>([
    [
      'with an unknown parameter',
      () => stripe.refunds.create({ payment_intent: 'pi_1', urgent: true } as Stripe.RefundCreateParams),
      'the request POST /v1/refunds: urgent: unknown',
      'parameter_unknown',
    ],
    [
      'with an unknown parameter within another',
      () =>
        stripe.paymentIntents.create({
          amount: 100,
          currency: 'gbp',
          automatic_payment_methods: { enabled: true, allow_cards: 'always' } as { enabled: boolean },
        }),
      'the request POST /v1/payment_intents: automatic_payment_methods.allow_cards: unknown',
      'parameter_unknown',
    ],
    [
      'without a required parameter',
      () => stripe.paymentIntents.create({ amount: 100 } as Stripe.PaymentIntentCreateParams),
      'the request POST /v1/payment_intents: currency: missing',
      'parameter_missing',
    ],
    [
      'with text for a number',
      () => stripe.disputes.list({ limit: 'all' as unknown as number }),
      'the request GET /v1/disputes: limit: "all", expected number',
      'parameter_invalid_integer',
    ],
    [
      'with an unknown value',
      () => stripe.refunds.create({ payment_intent: 'pi_1', reason: 'regret' }),
      'the request POST /v1/refunds: reason: "regret", expected one of duplicate, fraudulent, requested_by_customer',
      undefined,
    ],
  ])('a request with %s is rejected and recorded', async (_what, call, difference, code) => {
    await expect(call()).rejects.toMatchObject({ statusCode: 400, code });
    expect(noted()).toEqual([difference]);
  });
});

test('a request with a different API version is recorded', async () => {
  await stripe.refunds.list({}, { apiVersion: '2020-08-27' as Stripe.LatestApiVersion });
  expect(noted()).toEqual(['the request GET /v1/refunds: version 2020-08-27, expected 2026-10-28.endive']);
});

test('accepts an error code that the SDK does not list, because Stripe adds codes', () => {
  const error = {
    type: 'invalid_request_error',
    code: 'payment_method_types_no_longer_supported',
    message: 'No longer supported.',
  };
  expect(() => assertError(error)).not.toThrow();
  expect(() => assertError({ ...error, code: 400 })).toThrow('code');
});
