import { mkdtempSync, writeFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import {
  type EmbeddedCluster,
  startEmbeddedCluster,
} from '../../apps/server/src/adapters/postgres/embedded-cluster.ts';
import { sendRequest, signInForToken } from '../harness/api-client.ts';
import { launchBrowser, signIn } from '../harness/browser.ts';
import { startCuttableNetwork } from '../harness/cuttable-network.ts';
import { exampleFeed } from '../harness/example-feed.ts';
import { type RecordedChannel, recordChannel } from '../harness/record-channel.ts';
import { runKeyturn } from '../harness/run-keyturn.ts';
import { type RunningProduct, removeDataDirectory, startProduct } from '../harness/start-product.ts';
import { restartDatabase } from '../history/restart-database.ts';

/** Two servers, each a process of its own with its own folder, on a database that neither of them started. */
const folder = mkdtempSync(join(tmpdir(), 'keyturn-two-servers-'));
const feed = exampleFeed();
const contexts: BrowserContext[] = [];
let cluster: EmbeddedCluster;
let database: pg.Pool;
let one: RunningProduct;
let two: RunningProduct;
/** Of a single test; also one that failed. */
let third: RunningProduct | undefined;
let browser: Browser;

beforeAll(async () => {
  cluster = await startEmbeddedCluster({ dataDirectory: folder });
  const owner = new pg.Client({ connectionString: cluster.urlOf('postgres') });
  await owner.connect();
  await owner.query('create database two_servers');
  await owner.end();
  database = new pg.Pool({ connectionString: databaseUrl() });
  database.on('error', () => {});
  one = await startServer('one');
  two = await startServer('two');
  feed.clients.push({ ...feed.clients[0], reference: 'C-2', first_name: 'Max', email: 'max@example.test' });
  feed.cases[0].clients.push('C-2');
  feed.matters[0].milestones = stepsSoFar();
  await bringIn();
  browser = await launchBrowser();
}, 120_000);
afterEach(async () => {
  for (const context of contexts.splice(0)) await context.close();
});
afterAll(async () => {
  await browser?.close();
  await one?.stop();
  await two?.stop();
  await third?.stop();
  await database?.end();
  await cluster?.stop();
  removeDataDirectory(folder);
});

const databaseUrl = () => cluster.urlOf('two_servers');

const startServer = (name: string, env: NodeJS.ProcessEnv = {}) =>
  startProduct({
    dataDirectory: join(folder, name),
    env: { DATABASE_URL: databaseUrl(), KEYTURN_DEMONSTRATION: 'off', ...env },
  });

/** As the firm does it: `keyturn import` beside the first server. */
async function bringIn() {
  const file = join(folder, 'feed.json');
  writeFileSync(file, JSON.stringify(feed));
  const { code, output } = await runKeyturn(join(folder, 'one'), ['import', file], {
    DATABASE_URL: databaseUrl(),
  });
  expect({ code, output }).toMatchObject({ code: 0 });
}

/** Steps of a purchase that are done one after the other. */
const steps = [
  'identity_checked',
  'funds_checked',
  'searches_paid',
  'contract_pack_received',
  'searches_ordered',
  'title_reviewed',
  'enquiries_raised',
  'mortgage_offer_received',
  'searches_received',
  'enquiries_answered',
  'report_sent',
  'documents_signed',
];
let reached = 0;

/** The firm says that one more step is done. @returns its id */
async function reachNextStep(): Promise<string> {
  const key = steps[reached];
  reached += 1;
  feed.matters[0].milestones = stepsSoFar();
  await bringIn();
  const { rows } = await database.query('select id from milestones where key = $1', [key]);
  return rows[0].id;
}

const stepsSoFar = () => [
  { key: 'instructed', status: 'done', reached_on: '2026-11-16' },
  ...steps.map((key, at) =>
    at < reached ? { key, status: 'done', reached_on: '2026-11-20' } : { key, status: 'upcoming' },
  ),
];

interface OpenPage extends RecordedChannel {
  page: Page;
}

/** The milestones of a client, on a page that listens. */
async function openMilestones(email: string, url: string): Promise<OpenPage> {
  const context = await browser.newContext({ locale: 'en-GB' });
  contexts.push(context);
  const page = await context.newPage();
  const channel = recordChannel(page);
  await signIn(page, url, email);
  await page.goto(`${url}/milestones`);
  await page.getByRole('heading', { name: 'Milestones', level: 1 }).waitFor();
  await expect.poll(() => channel.subscriptions().length, { timeout: 20_000 }).toBe(4);
  return { page, ...channel };
}

/** Resolves with the moment at which a step was first shown as done; milliseconds since 1970. */
const seenDone = (page: Page, stepId: string): Promise<number> =>
  page.evaluate(
    (id) =>
      new Promise<number>((resolve) => {
        const look = () => {
          if (!document.getElementById(id)?.textContent?.includes('Done')) return;
          watching.disconnect();
          resolve(Date.now());
        };
        const watching = new MutationObserver(look);
        watching.observe(document.body, { subtree: true, childList: true, characterData: true });
        look();
      }),
    `step-${stepId}`,
  );

const isShownDone = (page: Page, stepId: string, timeout = 30_000) =>
  page.locator(`[id="step-${stepId}"]`).filter({ hasText: 'Done' }).waitFor({ timeout });

const stepId = async (key: string | undefined): Promise<string> =>
  (await database.query('select id from milestones where key = $1', [key])).rows[0].id;

/** @returns the status of the answer */
const upgradeOf = (url: string) =>
  new Promise<number>((resolve, reject) => {
    const asking = request(url, {
      headers: {
        connection: 'Upgrade',
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
      },
    });
    const answered = ({ statusCode }: IncomingMessage) => {
      resolve(statusCode ?? 0);
      asking.destroy();
    };
    asking.on('response', answered).on('upgrade', answered).on('error', reject).end();
  });

const median = (numbers: number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;

describe('two servers on one database', () => {
  test('show what the firm brings in beside one of them on a page of the other, within a second', async () => {
    const { page } = await openMilestones('ada@example.test', two.url);
    const took: number[] = [];
    for (let time = 0; time < 8; time++) {
      const seen = seenDone(page, await stepId(steps[reached]));
      const id = await reachNextStep();
      const { rows } = await database.query(
        "select created_at from broadcast_events where event = 'MilestoneReached' and $1 = any(ids) order by id desc limit 1",
        [id],
      );
      took.push((await seen) - rows[0].created_at.getTime());
    }
    console.log(`from the import's transaction to the screen of the other server: ${took.join(', ')} ms`);
    expect(median(took)).toBeLessThan(1_000);
  });

  test('are asked seldom by a page that is told what changes, which shows a step as soon as the firm has brought it in, and says so', async () => {
    const { page } = await openMilestones('ada@example.test', two.url);
    await page.waitForLoadState('networkidle');
    const id = await stepId(steps[reached]);
    const title = await page.locator(`[id="step-${id}"] h4`).textContent();
    const calls: string[] = [];
    page.on('request', (request) => {
      const { pathname } = new URL(request.url());
      if (pathname.startsWith('/api/') && pathname !== '/api/maintenance') calls.push(pathname);
    });
    // Without the channel it would ask every 15 seconds.
    await page.waitForTimeout(17_000);
    expect(calls).toEqual([]);
    await reachNextStep();
    await isShownDone(page, id, 5_000);
    expect(calls).toContain('/api/milestones');
    await page
      .getByRole('status')
      .filter({ hasText: title ?? '?' })
      .waitFor({ timeout: 10_000 });
  });

  test('know who is here on either; who signs out on one loses the sockets on the other', async () => {
    const ada = await openMilestones('ada@example.test', one.url);
    const max = await openMilestones('max@example.test', two.url);
    await ada.page.getByText('Max is here too').first().waitFor();
    await max.page.getByText('Ada is here too').first().waitFor();
    const token = await max.page.evaluate(() => {
      const kept = Object.entries(localStorage).find(([key]) => key.endsWith('auth'));
      return JSON.parse(kept?.[1] ?? '{}').value?.access_token;
    });
    // As another of their tabs would, whose requests go to the other server.
    const began = performance.now();
    const answer = await sendRequest(one.url, '/logout', { method: 'POST', token });
    expect(answer.status).toBeLessThan(300);
    await expect.poll(() => max.subscriptions(), { timeout: 5_000, interval: 10 }).toEqual([]);
    expect(performance.now() - began).toBeLessThan(1_000);
    await ada.page.getByText('Max is here too').first().waitFor({ state: 'hidden', timeout: 20_000 });
  });

  test('lose no final state when one is killed: who was with it comes back to the next and sees it; its members are gone in their time', async () => {
    const line = await startCuttableNetwork(one.url);
    const ada = await openMilestones('ada@example.test', line.url);
    const max = await openMilestones('max@example.test', two.url);
    await max.page.getByText('Ada is here too').first().waitFor();
    const key = steps[reached];
    await one.kill();
    line.cut();
    const killed = performance.now();
    await reachNextStep();
    const id = await stepId(key);
    await isShownDone(max.page, id);
    await max.page.getByText('Ada is here too').first().waitFor({ state: 'hidden', timeout: 60_000 });
    console.log(
      `members of a killed server: gone after ${Math.round((performance.now() - killed) / 1_000)} s`,
    );
    one = await startServer('one', { PORT: new URL(one.url).port });
    line.restore();
    await isShownDone(ada.page, id, 60_000);
    await expect.poll(() => ada.subscriptions().length, { timeout: 60_000 }).toBe(4);
    await max.page.getByText('Ada is here too').first().waitFor();
    await line.close();
  });

  test('protocol 47: whose database is away answer with 503, and come back with it; pages catch up by themselves', async () => {
    const { page, events, subscriptions } = await openMilestones('ada@example.test', two.url);
    const token = await signInForToken(two.url, 'ada@example.test');
    const clusterDirectory = (await database.query('show data_directory')).rows[0].data_directory;
    const key = steps[reached];
    const id = await stepId(key);
    let isBack = false;
    const restarting = restartDatabase(clusterDirectory, databaseUrl(), 6_000).then(() => {
      isBack = true;
    });
    const statuses = new Set<number>();
    while (!isBack) {
      statuses.add((await sendRequest(two.url, '/milestones', { token })).status);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    await restarting;
    expect([...statuses].filter((status) => status !== 200)).toEqual([503]);
    await expect.poll(async () => (await fetch(`${two.url}/readyz`)).status, { timeout: 20_000 }).toBe(200);
    await reachNextStep();
    await isShownDone(page, id);
    await expect.poll(() => subscriptions().length, { timeout: 60_000 }).toBe(4);
    // And what happens from now on is told again.
    const before = events.length;
    const next = await stepId(steps[reached]);
    await reachNextStep();
    await isShownDone(page, next, 10_000);
    expect(events.slice(before)).toContain('MilestoneReached');
  });

  test('say nothing of tokens, signatures, queries and bodies in their logs, however much they are to say', async () => {
    const canary = 'canary-in-the-channel';
    const email = 'ada@example.test';
    const talkative = await startServer('talkative', { LOG_LEVEL: 'trace' });
    third = talkative;
    const token = await signInForToken(talkative.url, email);
    const { id } = (await (await sendRequest(talkative.url, '/client', { token })).json()).data;
    const post = (path: string, body: string, type: string, headers: Record<string, string> = {}) =>
      fetch(`${talkative.url}${path}`, {
        method: 'POST',
        headers: { 'content-type': type, ...headers },
        body,
      });
    const bearer = { authorization: `Bearer ${token}`, 'x-socket-id': '77.99077' };
    const form = 'application/x-www-form-urlencoded';
    const json = 'application/json';

    const asked = JSON.stringify({ socket_id: '77.99077', channel_name: `private-client.${id}` });
    const allowed = await post('/broadcasting/auth', asked, json, bearer);
    expect(allowed.status).toBe(200);
    const signature = ((await allowed.json()) as { auth: string }).auth.split(':')[1] ?? '';
    expect(signature).toMatch(/^[0-9a-f]{64}$/);
    const answers = [
      await post('/broadcasting/user-auth', `socket_id=77.99077&more=${canary}`, form, bearer),
      await post(
        '/broadcasting/auth',
        `socket_id=77.99077&channel_name=private-case.${canary}`,
        form,
        bearer,
      ),
      await post('/broadcasting/auth', `{"channel_name":"${canary}`, json, bearer),
      await post('/broadcasting/auth', canary.repeat(1_000), json, bearer),
      await post('/broadcasting/auth', asked, json, { authorization: `Bearer ${canary}` }),
      await post('/broadcasting/auth', asked, json, {
        cookie: `keyturn-auth=${canary}`,
        'x-csrf-token': canary,
      }),
      await fetch(`${talkative.url}/broadcasting/csrf-cookie?token=${canary}`, {
        headers: { cookie: canary },
      }),
      await post(
        `/apps/keyturn/events?auth_key=${canary}&auth_signature=${canary}`,
        `{"name":"${canary}"}`,
        json,
      ),
      await post('/apps/keyturn/events', canary.repeat(10_000), json),
      await post('/apps/keyturn/batch_events', `{"${canary}`, 'text/plain'),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 403, 400, 413, 401, 401, 401, 401, 413, 401]);
    for (const path of [
      `/app/${canary}?protocol=7`,
      `/app/x?token=${canary}`,
      `/elsewhere?token=${canary}`,
    ]) {
      expect(await upgradeOf(`${talkative.url}${path}`)).toBeGreaterThan(100);
    }

    await talkative.stop();
    const said = talkative.output();
    for (const path of ['/broadcasting/auth', '/broadcasting/user-auth', '/apps/keyturn/events'])
      expect(said).toContain(path);
    for (const secret of [canary, token, signature, '77.99077', email]) expect(said).not.toContain(secret);
  });
});
