import {
  buildCase,
  createTestClock,
  createTestServer,
  intentOf,
  ownCard,
  startStripeSimulator,
  stripeSettings,
} from '@keyturn/testkit';
import type { RuleError } from '@keyturn/testkit/stripe-simulator/rules/stripe-rule.ts';
import { stripeRules } from '@keyturn/testkit/stripe-simulator/rules/stripe-rules.ts';
import Stripe from 'stripe';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isProviderError, type PaymentProvider, ProviderRefused } from '../../payments/ports/provider.ts';
import { alertOnRejectedKey } from '../../payments/provider/alert-on-rejected-key.ts';
import { toProviderError } from './to-provider-error.ts';

test.each(stripeRules.map((rule) => [rule.id, rule] as const))(
  'the refusal of a request that breaks Stripe’s rule %s becomes an error of the port',
  (_id, { error: { status = 400, type = 'invalid_request_error', code, message, param } }) => {
    const raw = { type, statusCode: status, code: code ?? undefined, message, param, requestId: 'req_1' };
    const error = toProviderError(Stripe.errors.generateV1Error(raw as never));
    expect(isProviderError(error)).toBe(true);
    expect(error.message).not.toContain(message);
  },
);

test('the operator is alerted once an hour while Stripe refuses to name the account of the key', async () => {
  const alerts: string[] = [];
  const provider = {
    name: 'stripe',
    readAccountId: () => Promise.reject(new ProviderRefused('Stripe refused: 400')),
  } as unknown as PaymentProvider;
  const watched = alertOnRejectedKey(provider, {
    clock: createTestClock(),
    alertOperator: (message) => void alerts.push(message),
  });
  for (const _attempt of [1, 2]) await watched.provider.readAccountId().catch(() => null);
  expect(alerts).toEqual([expect.stringContaining('refuses to name the account')]);
  expect(watched.isKeyRejected()).toBe(false);
});

/** One rule for each answer that Stripe has, and one for each kind of answer. */
const oneOfEach = (nameOf: (error: RuleError) => string) => [
  ...new Map(stripeRules.map(({ id, error }) => [nameOf(error), id])).values(),
];
const refusals = oneOfEach(({ status, type, code }) => `${status} ${type} ${code}`);
const kinds = oneOfEach(({ status, type }) => `${status} ${type}`);

describe('a client whose payment Stripe refuses', () => {
  const clock = createTestClock();
  let simulator: Awaited<ReturnType<typeof startStripeSimulator>>;
  let server: Awaited<ReturnType<typeof createTestServer>>;
  beforeAll(async () => {
    simulator = await startStripeSimulator(clock);
    server = await createTestServer({ env: stripeSettings(simulator) });
  });
  afterAll(async () => {
    await server.stop();
    await simulator.stop();
  });

  async function payer() {
    const { clientId, caseSearchId } = await buildCase(server.database);
    const headers = await server.signInAs(clientId);
    const post = async (path: string, payload: object = {}) => {
      const answer = await server.app.inject({ method: 'POST', url: `/api${path}`, headers, payload });
      return { status: answer.statusCode, ...answer.json() };
    };
    return { post, start: () => post(`/case-searches/${caseSearchId}/payments`, ownCard) };
  }

  /** Runs an action while Stripe refuses every call of a kind. */
  async function whileRefusing<Answer>(rule: string, calls: RegExp, action: () => Promise<Answer>) {
    simulator.faultyCalls = calls;
    simulator.faults.push(...Array.from({ length: 12 }, () => ({ rule })));
    try {
      return await action();
    } finally {
      simulator.faults.splice(0);
    }
  }

  test.each(refusals)('reads a defined error when it is started (%s)', async (rule) => {
    const { start } = await payer();
    const answer = await whileRefusing(rule, /^POST \/v1\/payment_intents$/, start);
    expect(answer).toMatchObject({
      code: expect.stringMatching(/^(provider_unavailable|not_payable|payment_being_checked)$/),
    });
    // Nothing is left that prevents the next attempt.
    expect((await start()).data ?? (await start()).data).toMatchObject({ client_secret: expect.any(String) });
  });

  test.each(refusals)('reads a defined error when it is continued, read or cancelled (%s)', async (rule) => {
    const { start, post } = await payer();
    const { payment_id: id, client_secret: secret } = (await start()).data;
    const intents = /^(GET|POST) \/v1\/payment_intents\/pi_/;
    for (const action of ['refresh', 'cancel']) {
      const answer = await whileRefusing(rule, intents, () => post(`/payments/${id}/${action}`));
      expect([action, answer.status]).not.toEqual([action, 500]);
    }
    expect((await whileRefusing(rule, intents, start)).status).not.toBe(500);
    expect(simulator.intents.find(intentOf(secret)).status).toBeDefined();
  });

  test.each(kinds)('reads that payments are paused while the account cannot be read (%s)', async (rule) => {
    const other = await startStripeSimulator(clock);
    other.faultyCalls = /^GET \/v1\/account/;
    other.faults.push(...Array.from({ length: 40 }, () => ({ rule })));
    const own = await createTestServer({ env: stripeSettings(other) });
    const { clientId, caseSearchId } = await buildCase(own.database);
    const headers = await own.signInAs(clientId);
    const url = `/api/case-searches/${caseSearchId}/payments`;
    const answer = await own.app.inject({ method: 'POST', url, headers, payload: ownCard });
    await own.stop();
    await other.stop();
    expect(answer.json()).toMatchObject({ code: 'payments_paused' });
  });
});
