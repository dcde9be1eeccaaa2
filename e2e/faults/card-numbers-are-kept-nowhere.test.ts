import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { calls, cardNumberNotAllowed } from '@keyturn/contract';
import { variants } from '@keyturn/testkit/run-length.ts';
import {
  type StripeSimulator,
  startStripeSimulator,
} from '@keyturn/testkit/stripe-simulator/start-stripe-simulator.ts';
import { stripeSettings } from '@keyturn/testkit/stripe-simulator/stripe-settings.ts';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ApiClient, signInToApi } from '../harness/api-client.ts';
import { closeContexts, newContext, openSharedBrowser, signInByForm } from '../harness/browser.ts';
import { type ErrorCollector, startErrorCollector } from '../harness/error-collector.ts';
import { serveFakeStripe } from '../harness/fake-stripe/serve-fake-stripe.ts';
import { fillCard } from '../harness/pay-by-card.ts';
import { connectToProductDatabase } from '../harness/product-database.ts';
import { type RunningProduct, removeDataDirectory, startProduct } from '../harness/start-product.ts';

/** Valid numbers that are not test cards of the sandbox, so they could belong to a real person. */
const canaries = ['4539148803436467', '5425233430109903', '374245455400126', '6011000990139424'];
const [visa = '', , amex = ''] = canaries;

/** The number without separators, with spaces and with hyphens. */
const formatsOf = (number: string) => [
  number,
  number.replaceAll(/(\d{4})(?=\d)/g, '$1 '),
  number.replaceAll(/(\d{4})(?=\d)/g, '$1-'),
];

/** A harmless reference that must be stored, which proves that the search finds stored text. */
const honestReference = 'Bill 118 of the canary test';

describe.each(variants(['stripe', 'sandbox'] as const, 1))('card numbers with %s payments', (provider) => {
  let simulator: StripeSimulator;
  let collector: ErrorCollector;
  let product: RunningProduct;
  let amelia: ApiClient;
  let browser: Browser;
  beforeAll(async () => {
    simulator = await startStripeSimulator();
    collector = await startErrorCollector();
    product = await startProduct({
      env: {
        // The most verbose level, so that the log contains everything that the server can log.
        LOG_LEVEL: 'trace',
        KEYTURN_TRUSTED_PROXIES: '1',
        KEYTURN_SENTRY_DSN: collector.dsn,
        KEYTURN_SENTRY_TRACES_SAMPLE_RATE: '1',
        KEYTURN_SENTRY_REPLAYS_SESSION_SAMPLE_RATE: '1',
        KEYTURN_SENTRY_REPLAYS_CONSENT: 'assumed',
        ...(provider === 'stripe' ? stripeSettings(simulator) : {}),
      },
    });
    browser = await openSharedBrowser();
    amelia = await signInToApi(() => product.url, 'amelia@example.test');
  });
  afterAll(async () => {
    await closeContexts(browser);
    await product.stop();
    removeDataDirectory(product.dataDirectory);
    await simulator.stop();
    await collector.close();
  });

  const read = async (path: string) => {
    const outcome = await amelia.call('GET', path);
    if (outcome === 'unknown') throw new Error('the server did not answer');
    return (outcome.body as { data: { id: string; sha256?: string; status?: string }[] }).data;
  };
  /**
   * @returns every place that contains one of the numbers: output, database, files, calls to Stripe and error reports
   */
  const findInAllPlaces = async () => [
    ...findIn('the output', product.output()),
    ...(await findInDatabase(product)),
    ...findInFiles(product.dataDirectory),
    ...findIn('the calls to Stripe', JSON.stringify(simulator.calls)),
    ...findIn('the error reports', collector.text()),
  ];

  test('rejects a card number in any text field of the API, in any format, with the reason', async () => {
    const [search] = (await read('/case-searches')).filter(({ status }) => status === 'awaiting_payment');
    const [document] = await read('/documents');
    const other = { category: 'money_on_account', amount: 5_000, own_card: false };
    const fields: [string, string, object, string][] = [
      ['POST', '/other-payments', other, 'reference'],
      ['POST', '/other-payments', other, 'payer_name'],
      ['POST', '/other-payments', other, 'receipt_email'],
      ['POST', `/case-searches/${search?.id}/payments`, { own_card: false }, 'payer_name'],
      ['POST', `/case-searches/${search?.id}/payments`, {}, 'receipt_email'],
      ['POST', `/documents/${document?.id}/signature`, { consent: 'yes', sha256: 'a'.repeat(64) }, 'name'],
      ['POST', '/password/forgot', {}, 'email'],
      ['POST', '/login', { password: 'x' }, 'email'],
    ];
    for (const [method, path, body, field] of fields) {
      for (const written of canaries.flatMap(formatsOf)) {
        const words = /email/.test(field)
          ? `${written.replaceAll(' ', '.')}@example.test`
          : `Card ${written}.`;
        const rejected = await amelia.call(method, path, { ...body, [field]: words });
        expect(rejected, `${path} ${field} ${words}`).toEqual({
          status: 422,
          body: {
            message: cardNumberNotAllowed,
            code: 'invalid_input',
            errors: { [field]: [cardNumberNotAllowed] },
          },
        });
      }
    }
    const rejected = await amelia.call('POST', '/other-payments', other, { 'idempotency-key': visa });
    expect(rejected).toMatchObject({ status: 422, body: { code: 'invalid_input' } });
    const accepted = await amelia.call('POST', '/other-payments', {
      ...other,
      payer_name: 'Grace Okafor',
      reference: honestReference,
    });
    expect(accepted).toMatchObject({ status: 200 });
  });

  test('never returns a card number that was sent anywhere in a request to any route', async () => {
    const requests = [amex, ...formatsOf(visa)].flatMap((number) => requestsWith(number, provider));
    expect(requests.length).toBeGreaterThan(900);
    const { authorization = '' } = await tokenOf(product.url);
    for (const { method, path, headers = {}, body } of requests) {
      const response = await fetch(`${product.url}${path}`, {
        method,
        redirect: 'manual',
        headers: { authorization, 'content-type': 'application/json', ...headers },
        ...(body === undefined ? {} : { body }),
      });
      const text = await response.text();
      expect(response.status, `${method} ${path}`).not.toBe(500);
      if (path.startsWith('/api/')) expect(findIn('answer', text), `${method} ${path}`).toEqual([]);
    }
  });

  test('rejects card numbers typed into text fields of a screen and stores none in the browser', async () => {
    const context = await newContext(browser);
    if (provider === 'stripe') await serveFakeStripe(context, simulator, product.url);
    const page = await context.newPage();
    await page.goto(`${product.url}/forgot-password`);
    await page.getByLabel('Email address').fill(`${visa}@example.test`);
    await page.getByRole('button', { name: 'Send me a link' }).click();
    await page.getByText(cardNumberNotAllowed).first().waitFor();

    await signInByForm(page, product.url, 'amelia@example.test');
    await waitForRecording(page);
    const isRecorded = () => JSON.stringify(collector.recorded()).includes('14 Alder Row');
    await expect.poll(isRecorded, { timeout: 30_000 }).toBe(true);
    await page.getByRole('link', { name: 'Payments' }).first().click();
    await page.getByRole('link', { name: 'Make another payment' }).click();
    await page.getByLabel(/^Money on account/).check();
    await page.getByLabel('Amount in pounds').fill('25');
    await page.getByLabel(/^Reference/).fill('4539 1488 0343 6467');
    await page.getByRole('button', { name: 'Check this payment' }).click();
    await page.getByText(cardNumberNotAllowed).first().waitFor();
    await page.getByLabel(/^Reference/).fill('Bill 118');
    await page.getByRole('button', { name: 'Check this payment' }).click();
    await page.waitForURL('**/payment-details');
    await page.getByLabel(/someone else/).check();
    await page.getByLabel('Whose card is it?').fill('5425-2334-3010-9903');
    await page.getByLabel('Email address for the receipt').fill(`${visa}@example.test`);
    await page.getByRole('button', { name: 'Continue to payment' }).click();
    await expect.poll(() => page.getByText(cardNumberNotAllowed).count()).toBeGreaterThan(1);
    await page.getByLabel('Whose card is it?').fill('Grace Okafor');
    await page.getByLabel('Email address for the receipt').fill('grace@example.test');
    await page.getByRole('button', { name: 'Continue to payment' }).click();
    await page.waitForURL('**/payment');

    if (provider === 'sandbox') {
      await fillCard(page, visa);
      await page.getByLabel('Name on card').fill('6011 0009 9013 9424');
      await page.getByRole('button', { name: /^Pay £/ }).click();
      await page.getByText(cardNumberNotAllowed).first().waitFor();
      await page.getByLabel('Name on card').fill('Grace Okafor');
      const rejected = page.waitForResponse('**/sandbox/**/confirm');
      await page.getByRole('button', { name: /^Pay £/ }).click();
      expect((await (await rejected).json()).data.last_error.code).toBe('test_card_required');
      await expect.poll(() => page.getByLabel('Card number').getAttribute('aria-invalid')).toBe('true');
    }
    if (provider === 'stripe') {
      await page
        .frameLocator('iframe[title="Secure payment input frame"]')
        .getByLabel('Card number')
        .fill('4539 1488 0343 6467');
      await page.getByRole('button', { name: /^Pay £/ }).click();
      await page.getByRole('alert').first().waitFor();
    }
    // An error occurs while the card is on the screen, and its message contains the number.
    await page.evaluate(async (written) => {
      await fetch(`/api/cards/${written.replaceAll(' ', '')}`);
      setTimeout(() => {
        throw new Error(`no bank knows ${written}`);
      }, 0);
    }, '4539 1488 0343 6467');
    await expect
      .poll(() => JSON.stringify(collector.items('event')), { timeout: 20_000 })
      .toContain('no bank knows [card number]');
    expect(JSON.stringify(collector.items('event'))).toContain('/api/cards/[card number]');

    expect(await findInBrowser(page)).toEqual([]);
    await page.evaluate((number) => localStorage.setItem('planted', number), visa);
    expect(await findInBrowser(page)).toEqual([expect.stringContaining('the browser')]);
    await context.close();
  });

  test('finds no card number in any store, and finds planted numbers in each of them', async () => {
    const database = await connectToProductDatabase(product.dataDirectory);
    try {
      await database.query('checkpoint');
      expect(await findInAllPlaces()).toEqual([]);

      // The search covers the places that store text.
      expect(await textOfDatabase(database)).toContain(honestReference);
      expect(product.output()).toContain('/api/other-payments');

      const { rows } = await database.query('select id, summary from history_entries limit 1');
      const plant = (summary: string) =>
        database.query('update history_entries set summary = $2 where id = $1', [rows[0].id, summary]);
      await plant(`Paid with 4539 1488 0343 6467`);
      expect(await findInDatabase(product)).toEqual(['public.history_entries']);
      await plant(rows[0].summary);
      await database.query(
        `select graphile_worker.add_job('no-such-task', json_build_object('card', $1::text))`,
        [visa],
      );
      expect(await findInDatabase(product)).toEqual([expect.stringMatching(/^graphile_worker\./)]);
      await database.query(
        "delete from graphile_worker._private_jobs where payload::text like '%' || $1 || '%'",
        [visa],
      );
      // The write-ahead log still contains the deleted rows.
      expect((await findInAllPlaces()).join()).toMatch(/pg_wal/);
      const outbox = join(product.dataDirectory, 'outbox');
      mkdirSync(outbox, { recursive: true });
      writeFileSync(join(outbox, 'planted.eml'), `Dear ${visa}`);
      expect(findInFiles(product.dataDirectory).join()).toContain('planted.eml');
      rmSync(join(outbox, 'planted.eml'));
      await fetch(`${new URL(collector.dsn).origin}/api/42/envelope/?sentry_key=key42`, {
        method: 'POST',
        body: `{}\n{"type":"event"}\n{"message":"${visa}"}`,
      });
      expect(findIn('the error reports', collector.text())).toEqual(['the error reports']);
      expect(findIn('the output', `{"msg":"${formatsOf(visa)[2]}"}`)).toEqual(['the output']);
    } finally {
      await database.end();
    }
  });
});

/** Waits until the recording script has loaded; recording starts before anything is typed. */
const waitForRecording = (page: Page) =>
  page.waitForFunction(() =>
    performance.getEntriesByType('resource').some(({ name }) => /\/record-session-/.test(name)),
  );

interface HostileRequest {
  method: string;
  path: string;
  headers?: Record<string, string>;
  body?: string;
}

/**
 * Builds requests to every route with the number in one place each: path, query, field, key, header or malformed body.
 */
function requestsWith(number: string, provider: string): HostileRequest[] {
  const encoded = encodeURIComponent(number);
  const requests: HostileRequest[] = [];
  for (const [key, call] of Object.entries(calls)) {
    const [method = '', template = ''] = key.split(' ');
    const id = '9c1185a5-c5e9-4b0b-8e61-0a1b2c3d4e5f';
    const path = `/api${template.replaceAll(/\{\w+\}/g, id)}`;
    requests.push({ method, path: `${path}?card=${encoded}` });
    if (template.includes('{'))
      requests.push({ method, path: `/api${template.replaceAll(/\{\w+\}/g, encoded)}` });
    const { query, body } = call as { query?: Schema; body?: { schema: Schema } };
    for (const field of Object.keys(query?.properties ?? {})) {
      requests.push({ method, path: `${path}?${field}=${encoded}` });
    }
    if (method === 'GET') continue;
    for (const field of [...Object.keys(body?.schema.properties ?? {}), 'card', number]) {
      requests.push({ method, path, body: JSON.stringify({ [field]: number }) });
    }
    requests.push(
      { method, path, body: JSON.stringify({ card: { number, more: [number] } }) },
      { method, path, body: number },
      { method, path, body: `{"card": ${number}` },
      { method, path, body: number, headers: { 'content-type': 'text/plain' } },
      {
        method,
        path,
        body: `card=${encoded}`,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      },
    );
    for (const name of headerNames) requests.push({ method, path, headers: { [name]: number }, body: '{}' });
  }
  const paths = [
    '/api',
    '',
    '/assets',
    '/api/documents',
    '/payment',
    '/api/webhooks',
    '/api/sandbox/payment-intents',
  ];
  for (const path of paths) {
    for (const part of [encoded, encodeEach(number), `${encoded}%zz`]) {
      requests.push(
        { method: 'GET', path: `${path}/${part}` },
        { method: 'GET', path: `${path}?next=${part}` },
      );
    }
  }
  for (const name of ['stripe', 'sandbox']) {
    for (const body of [
      number,
      JSON.stringify({ id: number, type: number, intent: number, data: { object: { id: number } } }),
    ]) {
      requests.push({ method: 'POST', path: `/api/webhooks/${name}`, body });
      requests.push({
        method: 'POST',
        path: `/api/webhooks/${name}`,
        body,
        headers: { [`${name}-signature`]: `t=${number},v1=${number}` },
      });
    }
  }
  const intent = provider === 'sandbox' ? 'pi_none' : 'pi_any';
  for (const path of [`/api/sandbox/payment-intents/${intent}`, `/api/sandbox/payment-intents/${encoded}`]) {
    const card = {
      number: number.replaceAll(/\D/g, ''),
      exp_month: 12,
      exp_year: 2030,
      cvc: '123',
      name: number,
    };
    requests.push(
      { method: 'GET', path, headers: { 'x-client-secret': number } },
      { method: 'POST', path: `${path}/confirm`, body: JSON.stringify({ client_secret: number, card }) },
      {
        method: 'POST',
        path: `${path}/confirm`,
        body: JSON.stringify({ client_secret: number, card: { number } }),
      },
      {
        method: 'POST',
        path: `${path}/authenticate`,
        body: JSON.stringify({ client_secret: number, outcome: number }),
      },
    );
  }
  return requests;
}

interface Schema {
  properties?: Record<string, unknown>;
}

const headerNames = [
  'idempotency-key',
  'authorization',
  'x-request-id',
  'x-activity',
  'x-forwarded-for',
  'user-agent',
  'referer',
  'cookie',
  'accept-language',
];

const encodeEach = (text: string) =>
  [...text].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join('');

async function tokenOf(url: string) {
  const response = await fetch(`${url}/api/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'tom@example.test', password: 'turn-the-key-2026' }),
  });
  const { data } = (await response.json()) as { data: { access_token: string } };
  return { authorization: `Bearer ${data.access_token}` };
}

/** The numbers without their last four digits, which may be stored, in every format and encoding. */
const searchTerms = canaries.flatMap((number) => {
  const prefix = number.slice(0, -4);
  return [...formatsOf(number).map((written) => written.slice(0, written.length - 5)), prefix].flatMap(
    (text) => [text, encodeURIComponent(text), Buffer.from(text).toString('hex')],
  );
});

const findIn = (where: string, text: string | Buffer): string[] =>
  [...new Set(searchTerms)].some((needle) => text.includes(needle)) ? [where] : [];

/** Searches every row of every table as text, including PostgreSQL's planner statistics. */
async function findInDatabase({ dataDirectory }: RunningProduct): Promise<string[]> {
  const database = await connectToProductDatabase(dataDirectory);
  try {
    const found: string[] = [];
    for (const table of await tablesOf(database))
      found.push(...findIn(table, await textOfTable(database, table)));
    return found;
  } finally {
    await database.end();
  }
}

type Database = Awaited<ReturnType<typeof connectToProductDatabase>>;

async function tablesOf(database: Database): Promise<string[]> {
  const { rows } = await database.query<{ name: string }>(
    `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
     where table_schema not in ('information_schema', 'pg_catalog') order by 1`,
  );
  const names = rows.map(({ name }) => name);
  expect(names).toContain('public.payments');
  expect(names.some((name) => name.startsWith('graphile_worker.'))).toBe(true);
  return [...names, 'pg_catalog.pg_statistic'];
}

async function textOfTable(database: Database, table: string): Promise<string> {
  const { rows } = await database.query<{ row: string }>(`select t::text as row from ${table} t`);
  return rows.map(({ row }) => row).join('\n');
}

async function textOfDatabase(database: Database): Promise<string> {
  const texts: string[] = [];
  for (const table of await tablesOf(database)) texts.push(await textOfTable(database, table));
  return texts.join('\n');
}

function readIfPresent(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return Buffer.alloc(0);
    throw error;
  }
}

/**
 * Searches the names and contents of all files in the data directory: documents, outbox, PostgreSQL's log, tables and
 * write-ahead log.
 */
function findInFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).flatMap((name) => {
    const path = join(folder, name);
    if (findIn(path, name).length > 0) return [path];
    // PostgreSQL removes some of its files while this reads the folder.
    if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return [];
    return findIn(path, readIfPresent(path));
  });
}

async function findInBrowser(page: Page): Promise<string[]> {
  const storage = await page.evaluate(async () =>
    JSON.stringify([
      { ...localStorage },
      { ...sessionStorage },
      document.cookie,
      history.state,
      await indexedDB.databases(),
      await caches.keys(),
    ]),
  );
  return findIn('the browser', `${storage}${JSON.stringify(await page.context().cookies())}`);
}
