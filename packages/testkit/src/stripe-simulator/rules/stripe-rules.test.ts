import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestClock } from '../../test-clock.ts';
import type { StripeRight } from '../right-names.ts';
import { routes } from '../routes.ts';
import { type StripeSimulator, startStripeSimulator } from '../start-stripe-simulator.ts';
import type { StripeIntent } from '../stripe-state.ts';
import { stripeFilters } from './filters.ts';
import { rulesPage } from './rules-page.ts';
import { type BreakingRequest, everyCall, type Given } from './stripe-rule.ts';
import { stripeRules } from './stripe-rules.ts';

const day = 86_400_000;

let simulator: StripeSimulator;
const open: StripeSimulator[] = [];
beforeEach(async () => {
  simulator = await startStripeSimulator(createTestClock('2026-11-20T09:30:00Z'));
  open.push(simulator);
});
afterAll(async () => {
  // Requests that Stripe does not describe are the subject here.
  for (const one of open) one.differences.splice(0);
  await Promise.all(open.map((one) => one.stop()));
});

const createIntent = (types?: 'pay_by_bank'[]) =>
  simulator.intents.create({
    amount: 500,
    currency: 'gbp',
    ...(types ? { allowed_payment_method_types: types } : {}),
  });

function payByBank(): StripeIntent {
  const { id } = createIntent(['pay_by_bank']);
  simulator.intents.confirm(id, 'pm_sim_pay_by_bank');
  simulator.intents.answerAtBank(id, 'authorised');
  return simulator.intents.settle(id);
}

const pay = () => simulator.intents.confirm(createIntent().id, 'pm_card_visa');

const worlds: Record<Given, () => StripeIntent> = {
  open: createIntent,
  'open for banks': () => createIntent(['pay_by_bank']),
  processing: () => simulator.intents.confirm(createIntent().id, 'pm_sim_later'),
  succeeded: pay,
  cancelled: () => simulator.intents.cancel(createIntent().id),
  refunded: () => simulator.intents.refund(pay().id),
  disputed: () => {
    const intent = pay();
    simulator.intents.dispute(intent.id);
    return intent;
  },
  'dispute closed': () => {
    const intent = pay();
    simulator.disputes.close(simulator.intents.dispute(intent.id).id);
    return intent;
  },
  'paid by bank two years ago': () => {
    const intent = payByBank();
    simulator.clock.advance(731 * day);
    return intent;
  },
  'paid, with an empty balance': () => {
    simulator.balanceTransactions.float.amount = 0;
    return pay();
  },
  'paid by bank, with an empty balance': () => {
    simulator.balanceTransactions.float.amount = 0;
    return payByBank();
  },
  'without bank payments': () => {
    Object.assign(simulator.object.capabilities ?? {}, { pay_by_bank_payments: 'inactive' });
    return createIntent();
  },
  'without card payments': () => {
    Object.assign(simulator.object.capabilities ?? {}, { card_payments: 'inactive' });
    return createIntent();
  },
  'with 49 labels': () => {
    const metadata = Object.fromEntries(Array.from({ length: 49 }, (_, index) => [`label_${index}`, '1']));
    return simulator.intents.update(createIntent().id, { metadata });
  },
};

async function send(request: BreakingRequest) {
  const intent = worlds[request.given ?? 'open']();
  const fill = (text: string) =>
    text
      .replaceAll('{intent}', intent.id)
      .replaceAll('{charge}', intent.latest_charge ?? '')
      .replaceAll('{refund}', simulator.refunds.all()[0]?.id ?? 're_1')
      .replaceAll('{dispute}', simulator.disputes.all()[0]?.id ?? 'dp_1');
  const key =
    request.key ??
    (request.isLive
      ? simulator.addAccount({ id: simulator.id, isLive: true }).secretKey
      : simulator.addKey(request.lacks ? [request.lacks as StripeRight] : []));
  const call = async ({ call: name, send: content = '' }: { call: string; send?: string }) => {
    const [method = '', path] = fill(name).split(' ');
    const query = method === 'GET' && content !== '' ? `?${fill(content)}` : '';
    const answer = await fetch(`${simulator.url}${path}${query}`, {
      method,
      headers: { ...(key === '' ? {} : { authorization: `Bearer ${key}` }), ...request.headers },
      ...(method === 'GET' ? {} : { body: fill(content) }),
    });
    const body = (await answer.json()) as { error: Record<string, unknown> };
    return { status: answer.status, body };
  };
  if (request.after === 'at once') {
    simulator.latency = 100;
    const answers = await Promise.all([call(request), call(request)]);
    return answers.find(({ status }) => status !== 200) ?? answers[0];
  }
  if (request.after) await call(request.after);
  return call(request);
}

const breaking = stripeRules.flatMap((rule) =>
  rule.breaks.map((request) => ({
    title: `${rule.id}: ${request.call} ${(request.send ?? '').slice(0, 60)}`,
    rule,
    request,
  })),
);

describe('a request that breaks a rule of Stripe', () => {
  test.each(breaking)(
    'is refused by the simulator as Stripe refuses it ($title)',
    async ({ rule, request }) => {
      const { status, body } = await send(request);
      const { code, type = 'invalid_request_error', param } = rule.error;
      expect(simulator.refusals).toEqual([rule.id]);
      expect(status).toBe(rule.error.status ?? 400);
      expect(body.error).toMatchObject({ type, message: expect.any(String), ...(param ? { param } : {}) });
      expect(body.error.code ?? null).toBe(code);
      expect(body.error.message).not.toMatch(/[{}]/);
    },
  );

  test('is there for every rule, and every rule has one check, a sentence and a source', () => {
    for (const { id, breaks, rule, source, check, headers, checkedBy } of stripeRules) {
      expect(breaks.length, id).toBeGreaterThan(0);
      expect([check, headers, checkedBy].filter(Boolean), id).toHaveLength(1);
      expect(rule, id).toMatch(/^\S.*\.$/);
      expect(source, id).toMatch(/^(judged from )?https:\/\/(docs\.stripe\.com|github\.com\/stripe)\/\S+$/);
    }
  });
});

describe('a request that Stripe fulfils in part', () => {
  const filtered = stripeFilters.flatMap((filter) =>
    filter.breaks.map((request) => ({ id: filter.id, request })),
  );

  test.each(filtered)('is answered without what Stripe leaves out ($id)', async ({ request }) => {
    const { status, body } = await send(request);
    expect(status).toBe(200);
    expect(body).toMatchObject(request.answer);
    expect(simulator.refusals).toEqual([]);
  });

  test('is there for every filter', () => {
    for (const { id, breaks } of stripeFilters) expect(breaks.length, id).toBeGreaterThan(0);
  });
});

test('the rules name each other apart, and only calls that the simulator answers', () => {
  const ids = [...stripeRules, ...stripeFilters].map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.length).toBeGreaterThanOrEqual(60);
  const known = new Set([everyCall, ...routes.map(({ name }) => name)]);
  for (const { id, calls } of [...stripeRules, ...stripeFilters]) {
    expect(
      calls.filter((call) => !known.has(call)),
      id,
    ).toEqual([]);
  }
});

test('every call that the simulator answers has a request that breaks a rule', () => {
  const broken = new Set(
    breaking.map(({ request }) =>
      request.call.replace(/\{\w+\}/, ':id').replace(/\/(no|issfr|evt|pi)_1/, '/:id'),
    ),
  );
  expect(routes.map(({ name }) => name).filter((name) => !broken.has(name))).toEqual([]);
});

test('docs/stripe-rules.md lists the rules; "npm test -- --project unit stripe-rules -u" writes it', async () => {
  await expect(rulesPage()).toMatchFileSnapshot(
    join(import.meta.dirname, '../../../../../docs/stripe-rules.md'),
  );
});

test('a browser that names the client secret reads and confirms its intent with a publishable key', async () => {
  const { id, client_secret } = createIntent();
  const headers = { authorization: 'Bearer pk_test_1' };
  const read = await fetch(`${simulator.url}/v1/payment_intents/${id}?client_secret=${client_secret}`, {
    headers,
  });
  expect(await read.json()).toMatchObject({ id, status: 'requires_payment_method' });
  const confirmed = await fetch(`${simulator.url}/v1/payment_intents/${id}/confirm`, {
    method: 'POST',
    headers,
    body: new URLSearchParams({
      client_secret,
      payment_method: 'pm_card_visa',
      return_url: 'https://firm.example/payment',
    }),
  });
  expect(await confirmed.json()).toMatchObject({ id, status: 'succeeded' });
  expect(simulator.calls).toEqual([]);
});
