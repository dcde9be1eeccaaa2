import type { CaseSearch } from '@keyturn/contract';
import { runSeed } from '@keyturn/testkit/random/run-seed.ts';
import { runLength } from '@keyturn/testkit/run-length.ts';
import { startWebhookReceiver, type WebhookReceiver } from '@keyturn/testkit/webhook-receiver.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ApiClient, signInToApi } from '../harness/api-client.ts';
import { connectToProductDatabase } from '../harness/product-database.ts';
import { runKeyturn } from '../harness/run-keyturn.ts';
import { type RunningProduct, removeDataDirectory, startProduct } from '../harness/start-product.ts';

const kills = runLength({ short: 4, long: 20 });
// Enough that some are still unpaid at the last kill.
const searchesToPay = 2 * kills;

let product: RunningProduct;
let searches: string[];
/** Receives the webhooks that notify the firm's own system about payments. */
let receiver: WebhookReceiver;
let secret = '';
beforeAll(async () => {
  product = await startProduct();
  receiver = await startWebhookReceiver({ secret: () => secret });
  const args = ['webhook', 'create', receiver.url, '--description', 'Case management', '--events'];
  const { output } = await runKeyturn(product.dataDirectory, [...args, 'payment.succeeded,task.completed']);
  secret = /^Secret (\S+)$/m.exec(output)?.[1] ?? '';
  const database = await connectToProductDatabase(product.dataDirectory);
  // The demonstration has too few searches, so these are copies of one search of Amelia's and Tom's case.
  await database.query(
    `insert into case_searches
     select (jsonb_populate_record(s, jsonb_build_object('id', gen_random_uuid(), 'reference', s.reference || '-' || n, 'feed_hash', null))).*
     from case_searches s, generate_series(1, $1) n
     where s.id = (select id from case_searches where status = 'awaiting_payment' order by reference limit 1)`,
    [searchesToPay],
  );
  const { rows } = await database.query(
    "select id from case_searches where status = 'awaiting_payment' and reference like 'S-30%'",
  );
  searches = rows.map((row) => row.id as string);
  await database.end();
});
afterAll(async () => {
  await product.stop();
  await receiver.close();
  removeDataDirectory(product.dataDirectory);
});

test(`fault 3: a server killed ${kills} times during payments charges nothing twice and loses nothing (seed ${runSeed})`, async () => {
  const random =
    fc.sample(fc.array(fc.nat(999), { minLength: 4000, maxLength: 4000 }), {
      seed: runSeed,
      numRuns: 1,
    })[0] ?? [];
  const next = (below: number) => (random.pop() ?? 0) % below;
  const clients = [
    await signInToApi(() => product.url, 'amelia@example.test'),
    await signInToApi(() => product.url, 'tom@example.test'),
  ];
  /** Searches whose payment succeeded, according to the provider's response to the browser. */
  const toldSucceeded = new Set<string>();

  for (let round = 0; round < kills; round += 1) {
    let over = false;
    const payer = async (client: ApiClient) => {
      while (!over) {
        const search = searches[next(searches.length)] ?? '';
        if ((await pay(client, search, next(5))) === 'succeeded') toldSucceeded.add(search);
      }
    };
    const payers = [...clients, ...clients, ...clients].map(payer);
    await new Promise((done) => setTimeout(done, 20 + next(400)));
    // On a slow machine there may be no completed payment before any of the kills.
    if (round === kills - 1) {
      await expect.poll(() => toldSucceeded.size, { timeout: 20_000 }).toBeGreaterThan(0);
    }
    over = true;
    await product.kill();
    await Promise.all(payers);
    // The dead server's claims on webhooks expire after half a minute; the test expires them immediately.
    const database = await connectToProductDatabase(product.dataDirectory);
    await database.query('update webhook_deliveries set leased_until = null where leased_until is not null');
    await database.end();
    product = await startProduct({ dataDirectory: product.dataDirectory });
  }

  // No repair is needed: clients simply continue, and in the end every search is paid.
  const [amelia] = clients as [ApiClient];
  for (const search of searches) {
    await expect
      .poll(async () => payUntilPaid(amelia, search), { timeout: 30_000, interval: 200 })
      .toBe('paid');
  }
  const database = await connectToProductDatabase(product.dataDirectory);
  const one = async (sql: string) => (await database.query(sql)).rows[0];
  expect(toldSucceeded.size).toBeGreaterThan(0);
  expect(
    await one(`select count(*)::int as searches, count(distinct case_search_id)::int as payments
               from payments where status = 'succeeded'`),
  ).toEqual({ searches: searches.length, payments: searches.length });
  expect(
    await one(
      'select count(*)::int as charges, count(distinct intent_id)::int as intents from sandbox_charges',
    ),
  ).toEqual({ charges: searches.length, intents: searches.length });
  const agreeing = await one(
    `select count(*)::int as payments from payments p
     join sandbox_charges c on c.intent_id = p.provider_intent_id and c.amount = p.amount
     where p.status = 'succeeded' and (select sum(money) from payment_changes where payment_id = p.id) = p.amount`,
  );
  expect(agreeing).toEqual({ payments: searches.length });
  expect(
    await one(
      "select count(*)::int as entries from history_entries where category = 'payment' and reference is null",
    ),
  ).toMatchObject({ entries: expect.any(Number) });
  await expectWebhooks(database);
  await database.end();
});

/**
 * Expects that the firm was notified about each fact, that duplicates have the same id, and that two events of one
 * transaction arrived in order. Concurrent payments have no order.
 */
async function expectWebhooks(database: Awaited<ReturnType<typeof connectToProductDatabase>>) {
  const { rows } = await database.query(
    "select id, type, data ->> 'search' as search from webhook_events order by position",
  );
  expect(rows.filter(({ type }) => type === 'payment.succeeded')).toHaveLength(searches.length);
  const accepted = () => [...new Set(receiver.received.map(({ id }) => id))];
  await expect.poll(() => accepted().length, { timeout: 60_000 }).toBe(rows.length);
  for (const search of new Set(rows.map((row) => row.search))) {
    const ofSearch = rows.flatMap((row) => (row.search === search ? [row.id] : []));
    expect(accepted().filter((id) => ofSearch.includes(id))).toEqual(ofSearch);
  }
  expect(receiver.rejected).toEqual([]);
}

/** Cancels the joint client’s payment for a search, as a client does who takes it over. */
async function takeOver(client: ApiClient, search: string): Promise<void> {
  const read = await client.call('GET', `/case-searches/${search}`);
  if (read === 'unknown' || read.status !== 200) return;
  const { payment } = (read.body as { data: CaseSearch }).data;
  if (payment) await client.call('POST', `/payments/${payment.id}/cancel`);
}

/** Makes one payment attempt as a browser does, with one of the test cards. */
async function pay(client: ApiClient, search: string, choice: number): Promise<string> {
  const started = await client.call('POST', `/case-searches/${search}/payments`, {
    order_now: true,
    order_wording: '2026-12-before-end',
    own_card: true,
  });
  if (started === 'unknown') return 'unknown';
  if (started.status !== 200) {
    const { code } = started.body as { code: string };
    if (code === 'started_by_other_client') await takeOver(client, search);
    // The search is already paid, belongs to the joint client for now, or payments are briefly unavailable; an
    // unexpected error never happens.
    expect([409, 503]).toContain(started.status);
    return 'refused';
  }
  const { data } = started.body as { data: { client_secret: string; payment_id: string } };
  const intent = data.client_secret.split('_secret')[0];
  const cards = [
    '4242424242424242',
    '5555555555554444',
    '4000000000000002',
    '4000000000003220',
    '4242424242424242',
  ];
  const confirmed = await client.call(`POST`, `/sandbox/payment-intents/${intent}/confirm`, {
    client_secret: data.client_secret,
    card: { number: cards[choice], exp_month: 12, exp_year: 2030, cvc: '123' },
  });
  let status = statusOf(confirmed);
  if (status === 'requires_action') {
    status = statusOf(
      await client.call('POST', `/sandbox/payment-intents/${intent}/authenticate`, {
        client_secret: data.client_secret,
        outcome: 'approved',
      }),
    );
  }
  return status;
}

function statusOf(outcome: Awaited<ReturnType<ApiClient['call']>>): string {
  if (outcome === 'unknown') return 'unknown';
  expect(outcome.status).toBeLessThan(500 + 4 * Number(outcome.status === 503));
  return (outcome.body as { data?: { status?: string } }).data?.status ?? 'refused';
}

async function payUntilPaid(client: ApiClient, search: string): Promise<string> {
  const read = await client.call('GET', `/case-searches/${search}`);
  if (read === 'unknown' || read.status !== 200) return 'unknown';
  const { status } = (read.body as { data: { status: string } }).data;
  if (status === 'awaiting_payment') await pay(client, search, 0);
  return status;
}
