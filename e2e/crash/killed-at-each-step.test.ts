import type { PaymentMethod } from '@keyturn/contract';
import { variants } from '@keyturn/testkit/run-length.ts';
import {
  type StripeSimulator,
  startStripeSimulator,
} from '@keyturn/testkit/stripe-simulator/start-stripe-simulator.ts';
import { stripeSettings } from '@keyturn/testkit/stripe-simulator/stripe-settings.ts';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ApiClient, signInToApi } from '../harness/api-client.ts';
import { type PausedWrite, pauseWrites } from '../harness/pause-at-table.ts';
import { connectToProductDatabase } from '../harness/product-database.ts';
import { type RunningProduct, removeDataDirectory, startProduct } from '../harness/start-product.ts';

describe.each(variants(['stripe', 'sandbox'] as const, 1))('payments with %s', (provider) => {
  let simulator: StripeSimulator;
  let product: RunningProduct;
  let database: pg.Client;
  let amelia: ApiClient;
  let tom: ApiClient;
  let searches: string[];
  beforeAll(async () => {
    simulator = await startStripeSimulator();
    product = await startProduct({ env: environment() });
    database = await connectToProductDatabase(product.dataDirectory);
    amelia = await signInToApi(() => product.url, 'amelia@example.test');
    tom = await signInToApi(() => product.url, 'tom@example.test');
    // Copies of a search of Amelia's and Tom's case, one for each test.
    await database.query(
      `insert into case_searches
       select (jsonb_populate_record(s, jsonb_build_object('id', gen_random_uuid(), 'reference', s.reference || '-' || n, 'feed_hash', null))).*
       from case_searches s, generate_series(1, 5) n
       where s.id = (select id from case_searches where status = 'awaiting_payment' order by reference limit 1)`,
    );
    const { rows } = await database.query(
      "select id from case_searches where status = 'awaiting_payment' and reference ~ '-[1-5]$'",
    );
    searches = rows.map((row) => row.id as string);
  });
  afterAll(async () => {
    await database.end();
    await product.stop();
    removeDataDirectory(product.dataDirectory);
    await simulator.stop();
  });

  const environment = () => ({
    KEYTURN_BANK_PURPOSES: 'search',
    ...(provider === 'stripe' ? stripeSettings(simulator) : {}),
  });
  const nextSearch = () => {
    const search = searches.pop();
    if (!search) throw new Error('there is no search left');
    return search;
  };
  const start = (client: ApiClient, search: string, method: PaymentMethod = 'card') =>
    client.call(
      'POST',
      `/case-searches/${search}/payments`,
      {
        order_now: true,
        order_wording: '2026-12-before-end',
        own_card: true,
        ...(method === 'bank' ? { method } : {}),
      },
      { 'idempotency-key': `k-${search}` },
    );
  const started = async (client: ApiClient, search: string, method: PaymentMethod = 'card') => {
    const outcome = await start(client, search, method);
    if (outcome === 'unknown') throw new Error('the server did not answer');
    expect(outcome, JSON.stringify(outcome.body)).toMatchObject({ status: 200 });
    const { data } = outcome.body as { data: { payment_id: string; client_secret: string; amount: number } };
    return { ...data, intentId: data.client_secret.split('_secret')[0] ?? '' };
  };
  /** Expects that the payment still belongs to Amelia after the crash: Tom receives no client secret for it. */
  const expectLeftToAmelia = async (search: string) =>
    expect(await start(tom, search)).toMatchObject({
      status: 409,
      body: { code: 'started_by_other_client' },
    });
  /**
   * Kills the server while it is paused, and restarts it on the same data. @param whileDown inspects the state that
   * the killed server left, before the restarted one changes it
   */
  const killAt = async (place: PausedWrite, request: Promise<unknown>, whileDown = async () => {}) => {
    await place.reached();
    await product.kill();
    await place.release();
    expect(await request).toBe('unknown');
    await whileDown();
    product = await startProduct({ dataDirectory: product.dataDirectory, env: environment() });
  };
  const paymentsOf = async (search: string) =>
    (
      await database.query(
        `select id, status, provider_intent_id, provider_idempotency_key,
           (select sum(money)::int from payment_changes c where c.payment_id = p.id) as taken,
           (select count(*)::int from payment_changes c where c.payment_id = p.id and c.to_status = 'succeeded' and money > 0) as times
         from payments p where case_search_id = $1`,
        [search],
      )
    ).rows;
  /** Returns the intents that the provider has for a payment. */
  const intentsOf = async (paymentId: string): Promise<string[]> =>
    provider === 'stripe'
      ? simulator.intents
          .all()
          .filter(({ metadata }) => metadata.payment_id === paymentId)
          .map(({ id }) => id)
      : (
          await database.query("select id from sandbox_intents where metadata->>'payment_id' = $1", [
            paymentId,
          ])
        ).rows.map(({ id }) => id as string);
  const payAt = async (
    client: ApiClient,
    { intentId, client_secret }: { intentId: string; client_secret: string },
  ) => {
    if (provider === 'stripe') simulator.intents.confirm(intentId, 'pm_card_visa');
    else {
      await client.call('POST', `/sandbox/payment-intents/${intentId}/confirm`, {
        client_secret,
        card: { number: '4242424242424242', exp_month: 12, exp_year: 2030, cvc: '123' },
      });
    }
  };
  /** Opens the bank's page and approves the payment there; the money has not arrived yet. */
  const approveAtBank = async (
    client: ApiClient,
    { intentId, client_secret }: { intentId: string; client_secret: string },
  ) => {
    if (provider === 'stripe') {
      simulator.intents.confirm(intentId, 'pm_sim_pay_by_bank');
      simulator.intents.answerAtBank(intentId, 'authorised');
      return;
    }
    const body = { client_secret, return_url: `${product.url}/payment` };
    const path = `/sandbox/payment-intents/${intentId}/bank`;
    const left = await client.call('POST', path, body, { origin: product.url });
    expect(left).toMatchObject({ status: 200 });
    const { rows } = await database.query('select bank_token from sandbox_intents where id = $1', [intentId]);
    await fetch(`${product.url}/api/sandbox/bank/${rows[0].bank_token}/approved`, {
      method: 'POST',
      redirect: 'manual',
    });
  };
  /** Sends Stripe's webhook about the latest event of an intent; the sandbox sends its own webhooks. */
  const deliver = async (intentId: string): Promise<number | 'unknown'> => {
    const event = simulator.webhooks.waiting.filter(({ body }) => body.includes(intentId)).at(-1);
    if (!event) throw new Error('there is no event');
    return simulator.webhooks
      .deliver(`${product.url}/api/webhooks/stripe`, event, { at: new Date() })
      .catch(() => 'unknown' as const);
  };
  /** Continues as the client would until the payment is complete and paid exactly once. */
  const isPaidOnceInTheEnd = async (search: string) => {
    const payment = await started(amelia, search);
    await payAt(amelia, payment);
    if (provider === 'stripe') expect(await deliver(payment.intentId)).toBe(200);
    await expectPaidOnce(search, payment);
  };
  const expectPaidOnce = async (
    search: string,
    payment: { payment_id: string; intentId: string; amount: number },
    method: PaymentMethod = 'card',
  ) => {
    await expect
      .poll(async () => (await paymentsOf(search))[0]?.status, { timeout: 40_000 })
      .toBe('succeeded');
    expect(await paymentsOf(search)).toEqual([
      {
        id: payment.payment_id,
        status: 'succeeded',
        provider_intent_id: payment.intentId,
        provider_idempotency_key: `create-intent:${payment.payment_id}:1`,
        taken: payment.amount,
        times: 1,
      },
    ]);
    expect(await intentsOf(payment.payment_id)).toEqual([payment.intentId]);
    for (const client of [amelia, tom]) {
      expect(await client.call('GET', `/case-searches/${search}`)).toMatchObject({
        status: 200,
        body: { data: { status: 'paid', payable: false, payment: { status: 'succeeded' } } },
      });
      expect(await start(client, search, method)).toMatchObject({
        status: 409,
        body: {
          code: 'already_paid',
          message: 'This is already paid. You have not been charged again.',
        },
      });
    }
  };

  test('fault 1: a server killed before it creates the intent charges nothing, and the retry uses the same idempotency key', async () => {
    const search = nextSearch();
    const place: PausedWrite =
      provider === 'stripe'
        ? await holdAtStripe(simulator)
        : await pauseWrites(database, { table: 'sandbox_intents', event: 'insert' });
    await killAt(place, start(amelia, search));
    const [payment, ...others] = await paymentsOf(search);
    expect(others).toEqual([]);
    expect(payment).toMatchObject({ status: 'requires_payment_method', provider_intent_id: null, taken: 0 });
    expect(await intentsOf(payment.id)).toEqual([]);
    expect(await started(amelia, search)).toMatchObject({ payment_id: payment.id });
    if (provider === 'stripe') {
      const keys = simulator.calls
        .filter(({ request, body }) => request === 'POST /v1/payment_intents' && body.includes(payment.id))
        .map(({ headers }) => headers['idempotency-key']);
      expect(keys.length).toBeGreaterThan(1);
      expect(new Set(keys)).toEqual(new Set([payment.provider_idempotency_key]));
    }
    await isPaidOnceInTheEnd(search);
  });

  test('fault 2: a server killed between creating and storing the intent finds that intent again and creates no second one', async () => {
    const search = nextSearch();
    const place = await pauseWrites(database, {
      table: 'payments',
      event: 'update',
      when: 'old.provider_intent_id is null and new.provider_intent_id is not null',
    });
    await killAt(place, start(amelia, search));
    const [payment] = await paymentsOf(search);
    expect(payment).toMatchObject({ provider_intent_id: null });
    const made = await intentsOf(payment.id);
    expect(made).toHaveLength(1);
    await expectLeftToAmelia(search);
    expect(await started(amelia, search)).toMatchObject({ payment_id: payment.id, intentId: made[0] });
    await isPaidOnceInTheEnd(search);
  });

  test('fault 3: a server killed after the commit, before the response, returns the same payment and intent to the retry', async () => {
    const search = nextSearch();
    // The first response is lost. The server is killed while it handles the retry, when it resets the payment's
    // expiry.
    expect(await start(amelia, search)).toMatchObject({ status: 200 });
    const place = await pauseWrites(database, {
      table: 'payments',
      event: 'update',
      when: 'old.provider_intent_id is not null',
    });
    await killAt(place, start(amelia, search));
    const [payment] = await paymentsOf(search);
    expect(payment.provider_intent_id).not.toBeNull();
    await expectLeftToAmelia(search);
    const again = [await started(amelia, search), await started(amelia, search)];
    for (const { payment_id, intentId, client_secret } of again) {
      expect({ payment_id, intentId }).toEqual({
        payment_id: payment.id,
        intentId: payment.provider_intent_id,
      });
      expect(client_secret).toMatch(/_secret/);
    }
    await isPaidOnceInTheEnd(search);
  });

  test('fault 4: a server killed while it handles a webhook changes nothing, and applies the webhook once after its restart', async () => {
    const search = nextSearch();
    const payment = await started(amelia, search);
    const place = await pauseWrites(database, {
      table: 'payments',
      event: 'update',
      when: "new.status = 'succeeded'",
    });
    const history = async () =>
      (await database.query("select count(*)::int as n from history_entries where category = 'payment'"))
        .rows[0].n;
    const before = await history();
    await payAt(amelia, payment);
    const delivery = provider === 'stripe' ? deliver(payment.intentId) : Promise.resolve('unknown');
    await place.reached();
    await product.kill();
    await place.release();
    expect(await delivery).toBe('unknown');
    expect(await paymentsOf(search)).toMatchObject([
      { status: 'requires_payment_method', taken: 0, times: 0 },
    ]);
    expect(await history()).toBe(before);
    const { rows } = await database.query('select status from case_searches where id = $1', [search]);
    expect(rows).toEqual([{ status: 'awaiting_payment' }]);

    product = await startProduct({ dataDirectory: product.dataDirectory, env: environment() });
    if (provider === 'stripe') {
      expect([await deliver(payment.intentId), await deliver(payment.intentId)]).toEqual([200, 200]);
    }
    await expectPaidOnce(search, payment);
    expect(await history()).toBe(before + 1);
  });

  test('fault 85: a payment by bank is paid once if the server is killed while it records the approval, and then the money', {
    timeout: 180_000,
  }, async () => {
    const search = nextSearch();
    const payment = await started(amelia, search, 'bank');
    const killWhile = async (status: string, before: RegExp, happens: () => Promise<unknown>) => {
      const when = `new.status = '${status}'`;
      const place = await pauseWrites(database, { table: 'payments', event: 'update', when });
      await happens();
      const delivery = provider === 'stripe' ? deliver(payment.intentId) : Promise.resolve('unknown');
      await killAt(place, delivery, async () =>
        expect(await paymentsOf(search)).toMatchObject([{ status: expect.stringMatching(before), taken: 0 }]),
      );
    };
    await killWhile('processing', /^requires_/, () => approveAtBank(amelia, payment));
    if (provider === 'stripe') expect(await deliver(payment.intentId)).toBe(200);
    await expect
      .poll(async () => (await paymentsOf(search))[0]?.status, { timeout: 40_000 })
      .toMatch(/^(processing|succeeded)$/);
    if (provider === 'stripe') {
      // Until the money arrives, no other payment for the search can start.
      const byCard = { order_now: true, order_wording: '2026-12-before-end', own_card: true };
      expect(await amelia.call('POST', `/case-searches/${search}/payments`, byCard)).toMatchObject({
        body: { code: 'payment_being_checked' },
      });
      await killWhile('succeeded', /^processing$/, async () => simulator.intents.settle(payment.intentId));
      expect([await deliver(payment.intentId), await deliver(payment.intentId)]).toEqual([200, 200]);
    }
    await expectPaidOnce(search, payment, 'bank');
  });
});

/** Stripe has received the call, but has not executed it. */
async function holdAtStripe(simulator: StripeSimulator): Promise<PausedWrite> {
  const calls = () => simulator.calls.filter(({ request }) => request === 'POST /v1/payment_intents').length;
  const before = calls();
  // Leaves out the server’s periodic checks of older payments.
  simulator.faultyCalls = /^POST \/v1\/payment_intents$/;
  simulator.faults.push('silent before');
  return {
    reached: async () => {
      await expect.poll(calls).toBeGreaterThan(before);
    },
    release: async () => {},
  };
}
