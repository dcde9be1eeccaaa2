import {
  buildCase,
  createTestClock,
  createTestServer,
  ownCard,
  type StripeSimulator,
  startStripeSimulator,
  stripeSettings,
} from '@keyturn/testkit';
import { type StripeRight, stripeRights } from '@keyturn/testkit/stripe-simulator/right-names.ts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type PaymentProvider, ProviderRightMissing } from '../../payments/ports/provider.ts';
import { alertOnRejectedKey } from '../../payments/provider/alert-on-rejected-key.ts';
import { createStripeProvider } from './create-stripe-provider.ts';

const day = 86_400_000;
const clock = createTestClock();
const since = new Date(clock().getTime() - day);
let simulator: StripeSimulator;
beforeEach(async () => {
  simulator = await startStripeSimulator(clock);
});
afterEach(() => simulator.stop());

const providerWith = (secretKey: string, accountId: string | null = null) =>
  createStripeProvider({
    secretKey,
    publishableKey: 'pk_test',
    webhookSecrets: ['whsec_simulated'],
    apiBase: simulator.url,
    accountId,
    clock,
  });

let count = 0;
const terms = () => ({
  paymentId: `p${++count}`,
  caseId: 'c1',
  kind: 'search' as const,
  method: 'card' as const,
  amount: 5_000,
  currency: 'gbp' as const,
  description: 'Local search',
  idempotencyKey: `create-intent:p${count}:1`,
});

/** An account with an open, a paid and a disputed intent, a payout, a refund, a review and a warning. */
async function fill() {
  const full = providerWith(simulator.secretKey);
  const [open, paid, disputed] = [
    await full.createIntent(terms()),
    await full.createIntent(terms()),
    await full.createIntent(terms()),
  ].map(({ intentId }) => intentId) as [string, string, string];
  for (const intentId of [paid, disputed]) simulator.intents.confirm(intentId, 'pm_card_visa');
  const chargeId = simulator.intents.find(paid).latest_charge ?? '';
  const warning = simulator.earlyFraudWarnings.warn(chargeId);
  const review = simulator.reviews.open(chargeId);
  clock.advance(4 * day);
  const payoutId = simulator.payouts.create()?.id ?? '';
  simulator.intents.refund(paid, 100);
  simulator.intents.dispute(disputed);
  return { open, paid, disputed, warningId: warning.id, reviewId: review.id, payoutId };
}

/** Every call of the port. */
const callsOf = (
  provider: PaymentProvider,
  found: Awaited<ReturnType<typeof fill>>,
): Record<string, () => Promise<unknown>> => ({
  createIntent: () => provider.createIntent(terms()),
  listIntents: () => provider.listIntents(since),
  listIntentLabels: () => provider.listIntentLabels(since),
  labelIntent: () => provider.labelIntent(found.open, { client_id: 'c2' }),
  readAccountId: () => provider.readAccountId(),
  retrieveIntent: () => provider.retrieveIntent(found.paid),
  'retrieveIntent, disputed': () => provider.retrieveIntent(found.disputed),
  createRefund: () =>
    provider.createRefund({
      intentId: found.paid,
      requestId: 'r1',
      amount: 100,
      reason: 'requested_by_customer',
      idempotencyKey: `refund:${++count}`,
    }),
  listRefunds: () => provider.listRefunds(since),
  listBalanceTransactions: () => provider.listBalanceTransactions({ since }),
  'listBalanceTransactions, payout': () => provider.listBalanceTransactions({ payoutId: found.payoutId }),
  listPayouts: () => provider.listPayouts(since),
  readAvailable: () => provider.readAvailable(),
  listDisputes: () => provider.listDisputes(since),
  listFraudWarnings: () => provider.listFraudWarnings(since),
  listReviews: () => provider.listReviews(since),
  retrieveFraudWarning: () => provider.retrieveFraudWarning(found.warningId),
  retrieveReview: () => provider.retrieveReview(found.reviewId),
  cancelIntent: () => provider.cancelIntent(found.open),
});

const intentReads = ['retrieveIntent', 'retrieveIntent, disputed', 'listIntents', 'cancelIntent'];
const balanceReads = ['listBalanceTransactions', 'listBalanceTransactions, payout'];
/** The calls that fail without a right. */
const failing: Record<StripeRight, string[]> = {
  rak_accounts_kyc_basic_read: ['readAccountId'],
  rak_balance_transaction_source_read: [...intentReads, ...balanceReads],
  rak_balance_read: ['readAvailable'],
  rak_charge_read: [...intentReads, ...balanceReads, 'listRefunds'],
  rak_charge_write: ['createRefund'],
  rak_dispute_read: ['retrieveIntent, disputed', 'listIntents', 'listDisputes', 'listBalanceTransactions'],
  rak_dispute_write: [],
  rak_early_fraud_warning_read: ['listFraudWarnings', 'retrieveFraudWarning'],
  rak_event_read: [],
  rak_payment_intent_read: [...intentReads, 'listIntentLabels'],
  rak_payment_intent_write: ['createIntent', 'labelIntent', 'cancelIntent'],
  rak_payment_method_read: intentReads,
  rak_payout_read: ['listPayouts', ...balanceReads],
  rak_review_read: ['listReviews', 'retrieveReview'],
};

test('no call of the adapter breaks a rule of Stripe', async () => {
  const found = await fill();
  for (const call of Object.values(callsOf(providerWith(simulator.addKey([])), found))) await call();
  expect(simulator.refusals).toEqual([]);
});

describe('a restricted key without a right', () => {
  test.each(stripeRights)(
    'only the calls that need %s fail, and each alert names the call and the right',
    async (right) => {
      const found = await fill();
      const secretKey = simulator.addKey([right]);
      const alerts: { message: string; details: unknown }[] = [];
      const { provider, isKeyRejected } = alertOnRejectedKey(providerWith(secretKey), {
        clock,
        alertOperator: (message, details) => void alerts.push({ message, details }),
      });
      const failed: string[] = [];
      for (const [name, call] of Object.entries(callsOf(provider, found))) {
        const error = await call().then(
          () => null,
          (thrown: unknown) => thrown,
        );
        if (error === null) continue;
        expect(error).toBeInstanceOf(ProviderRightMissing);
        expect(error).toMatchObject({ right });
        expect(String(error)).not.toMatch(/acct_|rk_test|\*/);
        failed.push(name);
      }
      expect(failed.toSorted()).toEqual(failing[right].toSorted());
      const methods = [...new Set(failed.map((name) => name.split(',')[0]))];
      expect(alerts.map(({ details }) => details)).toEqual(
        methods.map((call) => ({ provider: 'stripe', call, right })),
      );
      // Other calls work with this key.
      expect(isKeyRejected()).toBe(false);
    },
  );

  test('a key that may not read the account has the account in the settings, and offers payments by bank', async () => {
    const secretKey = simulator.addKey(['rak_accounts_kyc_basic_read']);
    const provider = providerWith(secretKey, simulator.id);
    expect(await provider.readAccountId()).toBe(`${simulator.id}:test`);
    expect(provider.knownAccountId()).toBe(`${simulator.id}:test`);
    expect(provider.acceptsBankPayments()).toBe(true);
    const calls = simulator.calls.length;
    await provider.readAccountId();
    expect(simulator.calls).toHaveLength(calls);
  });

  test('the account that Stripe returns replaces the one in the settings', async () => {
    const provider = providerWith(simulator.secretKey, 'acct_other');
    expect(await provider.readAccountId()).toBe(`${simulator.id}:test`);
  });
});

test('a client can pay although the key may not read the account, if the settings name it', async () => {
  const secretKey = simulator.addKey(['rak_accounts_kyc_basic_read']);
  const start = async (more: Record<string, string>) => {
    const server = await createTestServer({
      env: { ...stripeSettings(simulator), KEYTURN_STRIPE_SECRET_KEY: secretKey, ...more },
    });
    const { clientId, caseSearchId } = await buildCase(server.database);
    const headers = await server.signInAs(clientId);
    const url = `/api/case-searches/${caseSearchId}/payments`;
    const answer = await server.app.inject({ method: 'POST', url, headers, payload: ownCard });
    await server.stop();
    return answer.json();
  };
  expect(await start({})).toMatchObject({ code: 'payments_paused' });
  expect(await start({ KEYTURN_STRIPE_ACCOUNT_ID: simulator.id })).toMatchObject({
    data: { provider: 'stripe', client_secret: expect.any(String) },
  });
});
