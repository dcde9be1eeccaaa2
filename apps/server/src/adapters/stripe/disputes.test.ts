import { createTestClock, type StripeSimulator, startStripeSimulator } from '@keyturn/testkit';
import type Stripe from 'stripe';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type PaymentProvider, ProviderUnavailable } from '../../payments/ports/provider.ts';
import { createStripeProvider } from './create-stripe-provider.ts';
import { fromStripeDispute } from './disputes.ts';

describe('disputes at Stripe', () => {
  let simulator: StripeSimulator;
  let provider: PaymentProvider;
  beforeEach(async () => {
    simulator = await startStripeSimulator(createTestClock());
    provider = createStripeProvider({
      secretKey: 'sk_test_1',
      publishableKey: 'pk_test_1',
      webhookSecrets: [simulator.webhookSecret],
      apiBase: simulator.url,
      timeout: 10_000,
    });
  });
  afterEach(() => simulator.stop());

  const pay = async (key: string) => {
    const { intentId } = await provider.createIntent({
      paymentId: key,
      caseId: 'c1',
      kind: 'search',
      method: 'card',
      amount: 1_000,
      currency: 'gbp',
      description: 'Local search',
      idempotencyKey: key,
    });
    simulator.intents.confirm(intentId, 'pm_card_visa');
    return intentId;
  };

  test('lists Stripe’s disputes completely, even beyond one page', async () => {
    const intentId = await pay('p1');
    for (let count = 0; count < 130; count += 1) simulator.intents.dispute(intentId, 1 + count);
    expect(await provider.listDisputes(new Date(0))).toHaveLength(130);
    expect((await provider.retrieveIntent(intentId)).disputes).toHaveLength(130);
  });

  test('reports disputes as unavailable, never as missing, when Stripe does not answer', async () => {
    for (const list of [provider.listDisputes, provider.listFraudWarnings, provider.listReviews]) {
      simulator.faults.push(503, 503, 503);
      await expect(list(new Date(0))).rejects.toThrow(ProviderUnavailable);
    }
    simulator.faults.push(503, 503, 503);
    await expect(provider.retrieveFraudWarning('issfr_1')).rejects.toThrow(ProviderUnavailable);
  });

  test.each([
    ['appeal_needs_response', { status: 'needs_response', outcome: null }],
    ['appeal_under_review', { status: 'under_review', outcome: null }],
    ['prevented', { status: 'closed', outcome: 'prevented' }],
  ] as const)('reports a Stripe dispute with the status %s as %j', async (status, reported) => {
    const intentId = await pay('p1');
    simulator.intents.dispute(intentId);
    simulator.intents.moveDispute(intentId, status);
    expect((await provider.retrieveIntent(intentId)).disputes).toMatchObject([reported]);
  });

  test('reports a Stripe dispute with an unknown status as under review, never as decided', async () => {
    const intentId = await pay('p1');
    const dispute = { ...simulator.intents.dispute(intentId), status: 'a status of tomorrow' };
    expect(fromStripeDispute(dispute as Stripe.Dispute)).toMatchObject({
      status: 'under_review',
      outcome: null,
    });
  });

  test('finds the intent of a dispute in Stripe’s webhooks, and also the ids of warnings and reviews', async () => {
    const intentId = await pay('p1');
    const charge = simulator.intents.find(intentId).latest_charge ?? '';
    const read = () => {
      const body = simulator.webhooks.waiting.at(-1)?.body ?? '';
      const headers = { 'stripe-signature': simulator.webhooks.sign(body) };
      return provider.readWebhook(Buffer.from(body), headers, simulator.clock());
    };
    simulator.intents.dispute(intentId);
    expect(read()).toMatchObject({ type: 'charge.dispute.funds_withdrawn', intentId });
    const warning = simulator.earlyFraudWarnings.warn(charge);
    expect(read()).toMatchObject({
      type: 'radar.early_fraud_warning.created',
      intentId,
      fraudSubject: { kind: 'fraud_warning', id: warning.id },
    });
    const review = simulator.reviews.open(charge);
    expect(read()).toMatchObject({
      type: 'review.opened',
      intentId,
      fraudSubject: { kind: 'review', id: review.id },
    });
  });
});
