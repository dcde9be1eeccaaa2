import { mkdtempSync, writeFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { measureSlowness } from '@keyturn/testkit/measure-slowness.ts';
import { runLength } from '@keyturn/testkit/run-length.ts';
import pg from 'pg';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import {
  type EmbeddedCluster,
  startEmbeddedCluster,
} from '../../apps/server/src/adapters/postgres/embedded-cluster.ts';
import { sendRequest, signInForToken } from '../harness/api-client.ts';
import { closeContexts, newContext, openSharedBrowser, readSignIn, signIn } from '../harness/browser.ts';
import { startCuttableNetwork } from '../harness/cuttable-network.ts';
import { storeFirm } from '../harness/enter-firm.ts';
import { exampleFeed } from '../harness/example-feed.ts';
import { type RecordedChannel, recordChannel } from '../harness/record-channel.ts';
import { runKeyturn } from '../harness/run-keyturn.ts';
import {
  type RunningProduct,
  removeDataDirectory,
  shareDocuments,
  startProduct,
} from '../harness/start-product.ts';
import { restartDatabase } from '../history/system/restart-database.ts';

/** Two server processes with separate data directories share the documents, and a database that neither of them started. */
const folder = mkdtempSync(join(tmpdir(), 'keyturn-two-servers-'));
const feed = exampleFeed();
const contexts: BrowserContext[] = [];
let cluster: EmbeddedCluster;
let database: pg.Pool;
let firstServer: RunningProduct;
let secondServer: RunningProduct;
/** Started by one test, and stopped here even if that test fails. */
let thirdServer: RunningProduct | undefined;
let browser: Browser;

beforeAll(async () => {
  cluster = await startEmbeddedCluster({ dataDirectory: folder });
  const owner = new pg.Client({ connectionString: cluster.urlOf('postgres') });
  await owner.connect();
  await owner.query('create database two_servers');
  await owner.end();
  database = new pg.Pool({ connectionString: databaseUrl() });
  database.on('error', () => {});
  // As when servers are deployed: they leave the migrations to the command.
  const migrated = await runKeyturn(join(folder, 'one'), ['migrate'], { DATABASE_URL: databaseUrl() });
  expect(migrated).toEqual({ code: 0, output: expect.stringMatching(/^Applied \d+ migrations?\.$/m) });
  firstServer = await startServer('one');
  secondServer = await startServer('two');
  feed.clients.push({ ...feed.clients[0], reference: 'C-2', first_name: 'Max', email: 'max@example.test' });
  feed.cases[0].clients.push('C-2');
  feed.matters[0].milestones = stepsSoFar();
  await storeFirm(database);
  await importFeed();
  browser = await openSharedBrowser();
}, 120_000);
afterEach(async () => {
  for (const context of contexts.splice(0)) await context.close();
});
afterAll(async () => {
  await closeContexts(browser);
  await firstServer?.stop();
  await secondServer?.stop();
  await thirdServer?.stop();
  await database?.end();
  await cluster?.stop();
  removeDataDirectory(folder);
});

const databaseUrl = () => cluster.urlOf('two_servers');

function startServer(name: string, env: NodeJS.ProcessEnv = {}) {
  const dataDirectory = join(folder, name);
  shareDocuments(dataDirectory, join(folder, 'shared-documents'));
  return startProduct({
    dataDirectory,
    env: {
      DATABASE_URL: databaseUrl(),
      KEYTURN_DEMONSTRATION: 'off',
      KEYTURN_MIGRATE_AT_START: 'off',
      ...env,
    },
  });
}

/** Runs `keyturn import` next to the first server, as the firm does. */
async function importFeed() {
  const file = join(folder, 'feed.json');
  writeFileSync(file, JSON.stringify(feed));
  const { code, output } = await runKeyturn(join(folder, 'one'), ['import', file], {
    DATABASE_URL: databaseUrl(),
  });
  expect({ code, output }).toMatchObject({ code: 0 });
}

/** The steps of a purchase in the order in which the tests complete them. */
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

/** Each takes some seconds of processor time. */
const imports = runLength({ short: 3, long: 8 });

/** Imports a feed in which one more step is done. @returns the step's id */
async function reachNextStep(): Promise<string> {
  const key = steps[reached];
  reached += 1;
  feed.matters[0].milestones = stepsSoFar();
  await importFeed();
  const { rows } = await database.query('select id from milestones where key = $1', [key]);
  return rows[0].id;
}

const stepsSoFar = () => [
  { key: 'instructed', status: 'done', reached_on: '2026-11-16' },
  ...steps.map((key, index) =>
    index < reached ? { key, status: 'done', reached_on: '2026-11-20' } : { key, status: 'upcoming' },
  ),
];

interface OpenPage extends RecordedChannel {
  page: Page;
}

/** Opens a client's milestones on a page that has subscribed to live updates. */
async function openMilestones(email: string, url: string): Promise<OpenPage> {
  const context = await newContext(browser);
  contexts.push(context);
  const page = await context.newPage();
  const channel = recordChannel(page);
  await signIn(page, url, email, '/milestones');
  await page.getByRole('heading', { name: 'Milestones', level: 1 }).waitFor();
  await expect.poll(() => channel.subscriptions().length, { timeout: 20_000 }).toBe(4);
  return { page, ...channel };
}

/** Resolves with the time at which the page first shows a step as done, in milliseconds since 1970. */
const waitUntilShownDone = (page: Page, stepId: string): Promise<number> =>
  page.evaluate(
    (id) =>
      new Promise<number>((resolve) => {
        const checkStep = () => {
          if (!document.getElementById(id)?.textContent?.includes('Done')) return;
          observer.disconnect();
          resolve(Date.now());
        };
        const observer = new MutationObserver(checkStep);
        observer.observe(document.body, { subtree: true, childList: true, characterData: true });
        checkStep();
      }),
    `step-${stepId}`,
  );

/** A stage that is done is closed, so its steps may be on the page without being visible. */
const expectShownDone = (page: Page, stepId: string, timeout = 30_000) =>
  page.locator(`[id="step-${stepId}"]`).filter({ hasText: 'Done' }).waitFor({ state: 'attached', timeout });

const stepId = async (key: string | undefined): Promise<string> =>
  (await database.query('select id from milestones where key = $1', [key])).rows[0].id;

/** Requests a WebSocket upgrade. @returns the status of the response */
const requestUpgrade = (url: string) =>
  new Promise<number>((resolve, reject) => {
    const upgradeRequest = request(url, {
      headers: {
        connection: 'Upgrade',
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
      },
    });
    const finish = ({ statusCode }: IncomingMessage) => {
      resolve(statusCode ?? 0);
      upgradeRequest.destroy();
    };
    upgradeRequest.on('response', finish).on('upgrade', finish).on('error', reject).end();
  });

const median = (numbers: number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;

describe('two servers on one database', () => {
  test('shows an import made next to one server on a page of the other server within a second', async () => {
    const { page } = await openMilestones('ada@example.test', secondServer.url);
    const token = await signInForToken(secondServer.url, 'ada@example.test');
    const delays: number[] = [];
    const requests: number[] = [];
    for (let time = 0; time < imports; time++) {
      const requestedAt = performance.now();
      await sendRequest(secondServer.url, '/milestones', { token });
      requests.push(performance.now() - requestedAt);
      const shownAt = waitUntilShownDone(page, await stepId(steps[reached]));
      const id = await reachNextStep();
      const { rows } = await database.query(
        "select created_at from broadcast_events where event = 'MilestoneReached' and $1 = any(ids) order by id desc limit 1",
        [id],
      );
      delays.push((await shownAt) - rows[0].created_at.getTime());
    }
    console.log(`from the import's transaction to the screen of the other server: ${delays.join(', ')} ms`);
    // On a busy machine each step of an update waits as a request does: notification, message, request and screen.
    expect(median(delays)).toBeLessThan(1_000 + 4 * median(requests));
  });

  test('shows and announces an imported step on a page that sends no polling requests during live updates', async () => {
    const { page } = await openMilestones('ada@example.test', secondServer.url);
    await page.waitForLoadState('networkidle');
    const id = await stepId(steps[reached]);
    const title = await page.locator(`[id="step-${id}"] h4`).textContent();
    const calls: string[] = [];
    page.on('request', (request) => {
      const { pathname } = new URL(request.url());
      if (pathname.startsWith('/api/') && pathname !== '/api/maintenance') calls.push(pathname);
    });
    // Without the real-time channel the page would poll every 15 seconds.
    await page.waitForTimeout(17_000);
    expect(calls).toEqual([]);
    await reachNextStep();
    await expectShownDone(page, id);
    expect(calls).toContain('/api/milestones');
    await page
      .getByRole('status')
      .filter({ hasText: title ?? '?' })
      .waitFor({ timeout: 10_000 });
  });

  test('shares presence between two servers, and closes the sockets on one when the client signs out on the other', async () => {
    const ada = await openMilestones('ada@example.test', firstServer.url);
    const max = await openMilestones('max@example.test', secondServer.url);
    await ada.page.getByText('Max is here too').first().waitFor();
    await max.page.getByText('Ada is here too').first().waitFor();
    const headers = await readSignIn(max.page);
    // Signs out in another tab of the same client, which is connected to the other server.
    const answer = await sendRequest(firstServer.url, '/logout', { method: 'POST', headers });
    expect(answer.status).toBeLessThan(300);
    await expect.poll(() => max.subscriptions()).toEqual([]);
    // Measured from the sign-out's transaction to the close in the browser, so a slow request or poll does not count.
    const { rows } = await database.query(
      "select created_at from broadcast_events where channel = '#sessions' order by id desc limit 1",
    );
    const delay = (max.lastClosedAt() ?? Number.NaN) - rows[0].created_at.getTime();
    expect(delay).toBeLessThan(1_000 * measureSlowness());
    await ada.page.getByText('Max is here too').first().waitFor({ state: 'hidden', timeout: 20_000 });
  });

  test('shows the latest state to the clients of a killed server after its restart, and removes its presence members in time', async () => {
    const network = await startCuttableNetwork(firstServer.url);
    const ada = await openMilestones('ada@example.test', network.url);
    const max = await openMilestones('max@example.test', secondServer.url);
    await max.page.getByText('Ada is here too').first().waitFor();
    const key = steps[reached];
    await firstServer.kill();
    network.cut();
    const killedAt = performance.now();
    await reachNextStep();
    const id = await stepId(key);
    await expectShownDone(max.page, id);
    await max.page.getByText('Ada is here too').first().waitFor({ state: 'hidden', timeout: 60_000 });
    console.log(
      `presence members of a killed server: removed after ${Math.round((performance.now() - killedAt) / 1_000)} s`,
    );
    firstServer = await startServer('one', { PORT: new URL(firstServer.url).port });
    network.restore();
    await expectShownDone(ada.page, id, 60_000);
    await expect.poll(() => ada.subscriptions().length, { timeout: 60_000 }).toBe(4);
    await max.page.getByText('Ada is here too').first().waitFor();
    await network.close();
  });

  test('fault 33: answers 503 while the database is down, then recovers, and open pages catch up', async () => {
    const { page, events, subscriptions } = await openMilestones('ada@example.test', secondServer.url);
    const token = await signInForToken(secondServer.url, 'ada@example.test');
    const clusterDirectory = (await database.query('show data_directory')).rows[0].data_directory;
    const key = steps[reached];
    const id = await stepId(key);
    let isBack = false;
    const restarting = restartDatabase(clusterDirectory, databaseUrl(), () => pause(6_000)).then(() => {
      isBack = true;
    });
    const statuses = new Set<number>();
    while (!isBack) {
      statuses.add((await sendRequest(secondServer.url, '/milestones', { token })).status);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    await restarting;
    expect([...statuses].filter((status) => status !== 200)).toEqual([503]);
    await expect
      .poll(async () => (await fetch(`${secondServer.url}/readyz`)).status, { timeout: 20_000 })
      .toBe(200);
    await reachNextStep();
    await expectShownDone(page, id);
    await expect.poll(() => subscriptions().length, { timeout: 60_000 }).toBe(4);
    // Later changes arrive over the real-time channel again.
    const before = events.length;
    const next = await stepId(steps[reached]);
    await reachNextStep();
    await expectShownDone(page, next, 10_000);
    expect(events.slice(before)).toContain('MilestoneReached');
  });

  test('logs no tokens, signatures, queries or bodies of channel requests, even at trace level', async () => {
    const canary = 'canary-in-the-channel';
    const email = 'ada@example.test';
    const tracingServer = await startServer('tracing', { LOG_LEVEL: 'trace' });
    thirdServer = tracingServer;
    const token = await signInForToken(tracingServer.url, email);
    const { id } = (await (await sendRequest(tracingServer.url, '/client', { token })).json()).data;
    const post = (path: string, body: string, type: string, headers: Record<string, string> = {}) =>
      fetch(`${tracingServer.url}${path}`, {
        method: 'POST',
        headers: { 'content-type': type, ...headers },
        body,
      });
    const bearer = { authorization: `Bearer ${token}`, 'x-socket-id': '77.99077' };
    const form = 'application/x-www-form-urlencoded';
    const json = 'application/json';

    const authRequest = JSON.stringify({ socket_id: '77.99077', channel_name: `private-client.${id}` });
    const allowed = await post('/broadcasting/auth', authRequest, json, bearer);
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
      await post('/broadcasting/auth', authRequest, json, { authorization: `Bearer ${canary}` }),
      await post('/broadcasting/auth', authRequest, json, {
        cookie: `keyturn-session-${canary.slice(0, 8)}=kt_cookie_${canary}`,
        authorization: `Bearer kt_half_${canary}`,
      }),
      await post(
        `/apps/keyturn/events?auth_key=${canary}&auth_signature=${canary}`,
        `{"name":"${canary}"}`,
        json,
      ),
      await post('/apps/keyturn/events', canary.repeat(40_000), json),
      await post('/apps/keyturn/batch_events', `{"${canary}`, 'text/plain'),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 403, 400, 413, 401, 401, 401, 413, 401]);
    for (const path of [
      `/app/${canary}?protocol=7`,
      `/app/x?token=${canary}`,
      `/elsewhere?token=${canary}`,
    ]) {
      expect(await requestUpgrade(`${tracingServer.url}${path}`)).toBeGreaterThan(100);
    }

    await tracingServer.stop();
    const logs = tracingServer.output();
    for (const path of ['/broadcasting/auth', '/broadcasting/user-auth', '/apps/keyturn/events'])
      expect(logs).toContain(path);
    for (const secret of [canary, token, signature, '77.99077', email]) expect(logs).not.toContain(secret);
  });
});
