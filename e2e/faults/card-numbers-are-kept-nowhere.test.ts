import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { calls, cardNumberNotAllowed } from '@keyturn/contract';
import {
  type StripeSimulator,
  startStripeSimulator,
} from '@keyturn/testkit/stripe-simulator/start-stripe-simulator.ts';
import { stripeSettings } from '@keyturn/testkit/stripe-simulator/stripe-settings.ts';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ApiClient, signInToApi } from '../harness/api-client.ts';
import { launchBrowser, signIn } from '../harness/browser.ts';
import { type ErrorCollector, startErrorCollector } from '../harness/error-collector.ts';
import { serveFakeStripe } from '../harness/fake-stripe/serve-fake-stripe.ts';
import { fillCard } from '../harness/pay-by-card.ts';
import { connectToProductDatabase } from '../harness/product-database.ts';
import { type RunningProduct, removeDataDirectory, startProduct } from '../harness/start-product.ts';

/** Numbers that could be somebody's: none of them is one of the sandbox's test cards. */
const canaries = ['4539148803436467', '5425233430109903', '374245455400126', '6011000990139424'];
const [visa = '', , amex = ''] = canaries;

/** As people write a number, and as it travels in an address. */
const waysToWrite = (number: string) => [
  number,
  number.replaceAll(/(\d{4})(?=\d)/g, '$1 '),
  number.replaceAll(/(\d{4})(?=\d)/g, '$1-'),
];

/** What is typed where words are asked for, and a part of what is stored there. */
const honestReference = 'Bill 118 of the canary test';

describe.each(['stripe', 'sandbox'] as const)('with %s, a card number', (provider) => {
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
        // Whatever it can say, it says.
        LOG_LEVEL: 'trace',
        KEYTURN_TRUSTED_PROXIES: '1',
        KEYTURN_SENTRY_DSN: collector.dsn,
        KEYTURN_SENTRY_TRACES_SAMPLE_RATE: '1',
        KEYTURN_SENTRY_REPLAYS_SESSION_SAMPLE_RATE: '1',
        ...(provider === 'stripe' ? stripeSettings(simulator) : {}),
      },
    });
    browser = await launchBrowser();
    amelia = await signInToApi(() => product.url, 'amelia@example.test');
  });
  afterAll(async () => {
    await browser.close();
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
  /** Where any of the numbers is found: in what was printed, in the database, in any file, in what Stripe and the error service were sent. */
  const findEverywhere = async () => [
    ...findIn('the output', product.output()),
    ...(await findInDatabase(product)),
    ...findInFiles(product.dataDirectory),
    ...findIn('the calls to Stripe', JSON.stringify(simulator.calls)),
    ...findIn('the error reports', collector.text()),
  ];

  test('that is typed into a field for words is refused with the reason, wherever it stands', async () => {
    const [search] = (await read('/case-searches')).filter(({ status }) => status === 'awaiting_payment');
    const [document] = await read('/documents');
    const other = { category: 'money_on_account', amount: 5_000, own_card: false };
    const fields: [string, string, object, string][] = [
      ['POST', '/other-payments', other, 'reference'],
      ['POST', '/other-payments', other, 'payer_name'],
      ['POST', '/other-payments', other, 'receipt_email'],
      ['POST', `/case-searches/${search?.id}/payments`, { own_card: false }, 'payer_name'],
      ['POST', `/case-searches/${search?.id}/payments`, {}, 'receipt_email'],
      ['POST', `/documents/${document?.id}/signature`, { consent: true, sha256: 'a'.repeat(64) }, 'name'],
      ['POST', '/password/forgot', {}, 'email'],
      ['POST', '/login', { password: 'x' }, 'email'],
    ];
    for (const [method, path, body, field] of fields) {
      for (const written of canaries.flatMap(waysToWrite)) {
        const words = /email/.test(field)
          ? `${written.replaceAll(' ', '.')}@example.test`
          : `Card ${written}.`;
        const refused = await amelia.call(method, path, { ...body, [field]: words });
        expect(refused, `${path} ${field} ${words}`).toEqual({
          status: 422,
          body: {
            message: cardNumberNotAllowed,
            code: 'invalid_input',
            errors: { [field]: [cardNumberNotAllowed] },
          },
        });
      }
    }
    const refused = await amelia.call('POST', '/other-payments', other, { 'idempotency-key': visa });
    expect(refused).toMatchObject({ status: 422, body: { code: 'invalid_input' } });
    const honest = await amelia.call('POST', '/other-payments', { ...other, reference: honestReference });
    expect(honest).toMatchObject({ status: 200 });
  });

  test('that is sent in every place of every route is in no answer of the API', async () => {
    const requests = [amex, ...waysToWrite(visa)].flatMap((number) => requestsWith(number, provider));
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

  test('that is typed into the fields of a screen is refused there, and the browser keeps none', async () => {
    const context = await browser.newContext({ locale: 'en-GB' });
    if (provider === 'stripe') await serveFakeStripe(context, simulator, product.url);
    const page = await context.newPage();
    await page.goto(`${product.url}/forgot-password`);
    await recording(page);
    await page.getByLabel('Email address').fill(`${visa}@example.test`);
    await page.getByRole('button', { name: 'Send me a link' }).click();
    await page.getByText(cardNumberNotAllowed).first().waitFor();

    await signIn(page, product.url, 'amelia@example.test');
    await page.goto(`${product.url}/payment-other`);
    await recording(page);
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
      const refused = page.waitForResponse('**/sandbox/**/confirm');
      await page.getByRole('button', { name: /^Pay £/ }).click();
      expect((await (await refused).json()).data.last_error.code).toBe('test_card_required');
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
    // Something goes wrong while the card is on the screen, and says so in the worst of words.
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
    // The recording has come as far as to this screen.
    const isRecorded = () => JSON.stringify(collector.recorded()).includes('Pay by card');
    await expect.poll(isRecorded, { timeout: 30_000 }).toBe(true);

    expect(await findInBrowser(page)).toEqual([]);
    await page.evaluate((number) => localStorage.setItem('planted', number), visa);
    expect(await findInBrowser(page)).toEqual([expect.stringContaining('the browser')]);
    await context.close();
  });

  test('is found nowhere after all that, and would be found wherever it stood', async () => {
    const database = await connectToProductDatabase(product.dataDirectory);
    try {
      await database.query('checkpoint');
      expect(await findEverywhere()).toEqual([]);

      // What was typed rightly is where the search looks.
      expect(await textOfDatabase(database)).toContain(honestReference);
      expect(product.output()).toContain('/api/other-payments');

      const { rows } = await database.query('select id, summary from history_entries limit 1');
      const plant = (summary: string) =>
        database.query('update history_entries set summary = $2 where id = $1', [rows[0].id, summary]);
      await plant(`Paid with 4539 1488 0343 6467`);
      expect(await findInDatabase(product)).toEqual(['public.history_entries']);
      await plant(rows[0].summary);
      await database.query(
        `select graphile_worker.add_job('nobody-does-this', json_build_object('card', $1::text))`,
        [visa],
      );
      expect(await findInDatabase(product)).toEqual([expect.stringMatching(/^graphile_worker\./)]);
      await database.query(
        "delete from graphile_worker._private_jobs where payload::text like '%' || $1 || '%'",
        [visa],
      );
      // The journal of the database remembers what a table has forgotten.
      expect((await findEverywhere()).join()).toMatch(/pg_wal/);
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
      expect(findIn('the output', `{"msg":"${waysToWrite(visa)[2]}"}`)).toEqual(['the output']);
    } finally {
      await database.end();
    }
  });
});

/** The recording has begun; or is about to, within moments in which nothing is typed. */
const recording = (page: Page) =>
  page.waitForFunction(() =>
    performance.getEntriesByType('resource').some(({ name }) => /\/record-session-/.test(name)),
  );

interface HostileRequest {
  method: string;
  path: string;
  headers?: Record<string, string>;
  body?: string;
}

/** Every route of ours with the number in one place of it: path, query, each field, a key, a header, or no JSON at all. */
function requestsWith(number: string, provider: string): HostileRequest[] {
  const inPath = encodeURIComponent(number);
  const requests: HostileRequest[] = [];
  for (const [key, call] of Object.entries(calls)) {
    const [method = '', template = ''] = key.split(' ');
    const id = '9c1185a5-c5e9-4b0b-8e61-0a1b2c3d4e5f';
    const path = `/api${template.replaceAll(/\{\w+\}/g, id)}`;
    requests.push({ method, path: `${path}?card=${inPath}` });
    if (template.includes('{'))
      requests.push({ method, path: `/api${template.replaceAll(/\{\w+\}/g, inPath)}` });
    const { query, body } = call as { query?: Schema; body?: { schema: Schema } };
    for (const field of Object.keys(query?.properties ?? {})) {
      requests.push({ method, path: `${path}?${field}=${inPath}` });
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
        body: `card=${inPath}`,
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
    for (const part of [inPath, encodeEach(number), `${inPath}%zz`]) {
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
  for (const path of [`/api/sandbox/payment-intents/${intent}`, `/api/sandbox/payment-intents/${inPath}`]) {
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

/** All but the last four digits, which anybody may keep, however they are written or encoded. */
const searched = canaries.flatMap((number) => {
  const kept = number.slice(0, -4);
  return [...waysToWrite(number).map((written) => written.slice(0, written.length - 5)), kept].flatMap(
    (text) => [text, encodeURIComponent(text), Buffer.from(text).toString('hex')],
  );
});

const findIn = (where: string, text: string | Buffer): string[] =>
  [...new Set(searched)].some((needle) => text.includes(needle)) ? [where] : [];

/** Every row of every table of every schema as text, PostgreSQL's own views of what runs included. */
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

/** Names and bytes of all that lies in the data folder: documents, outbox, PostgreSQL's log, tables and journal. */
function findInFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).flatMap((name) => {
    const path = join(folder, name);
    if (findIn(path, name).length > 0) return [path];
    return statSync(path).isFile() ? findIn(path, readFileSync(path)) : [];
  });
}

async function findInBrowser(page: Page): Promise<string[]> {
  const kept = await page.evaluate(async () =>
    JSON.stringify([
      { ...localStorage },
      { ...sessionStorage },
      document.cookie,
      history.state,
      await indexedDB.databases(),
      await caches.keys(),
    ]),
  );
  return findIn('the browser', `${kept}${JSON.stringify(await page.context().cookies())}`);
}
