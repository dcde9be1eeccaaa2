import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import {
  type StripeSimulator,
  startStripeSimulator,
} from '@keyturn/testkit/stripe-simulator/start-stripe-simulator.ts';
import { stripeSettings } from '@keyturn/testkit/stripe-simulator/stripe-settings.ts';
import pg from 'pg';
import { expect, vi } from 'vitest';
import { startEmbeddedCluster } from '../../apps/server/src/adapters/postgres/embedded-cluster.ts';
import { startFixtureS3 } from '../../apps/server/src/testing/s3/fixture-s3.ts';
import { type RunningProduct, removeDataDirectory, startProduct } from '../harness/start-product.ts';
import { addHouseholds } from './add-households.ts';
import { startBalancingProxy } from './balancing-proxy.ts';
import { drainSeconds } from './deploy-settings.ts';
import { addOffice } from './office-work.mjs';
import { fetchWithCookies, openDashboard } from './open-dashboard.ts';

export interface FirmOptions {
  clients: number;
  /** The folder of the version that the servers run at first; by default this one. */
  projectDirectory?: string;
  env?: NodeJS.ProcessEnv;
}

const bucket = 'documents';

export type RollingFirm = Awaited<ReturnType<typeof startFirm>>;

/** Starts two servers on one database behind a proxy, with clients who have signed in and follow their cases. */
export async function startFirm({ clients, projectDirectory, env = {} }: FirmOptions) {
  const folder = mkdtempSync(join(tmpdir(), 'keyturn-rolling-'));
  const simulator = await startStripeSimulator();
  const storage = await startFixtureS3([bucket]);
  const cluster = await startEmbeddedCluster({ dataDirectory: folder });
  const databaseUrl = cluster.urlOf('rolling');
  const owner = new pg.Client({ connectionString: cluster.urlOf('postgres') });
  await owner.connect();
  await owner.query('create database rolling');
  await owner.end();
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 4 });
  pool.on('error', () => {});
  const settings: NodeJS.ProcessEnv = {
    ...stripeSettings(simulator),
    DATABASE_URL: databaseUrl,
    KEYTURN_REALTIME_KEY: 'keyturn',
    KEYTURN_REALTIME_SECRET: 'secret-of-the-rolling-firm',
    KEYTURN_REALTIME_APP_ID: 'keyturn',
    KEYTURN_DRAIN_SECONDS: String(drainSeconds()),
    KEYTURN_DOCUMENT_STORE: 's3',
    KEYTURN_S3_ENDPOINT: storage.url,
    KEYTURN_S3_REGION: 'us-east-1',
    KEYTURN_S3_BUCKET: bucket,
    KEYTURN_S3_ACCESS_KEY_ID: storage.credentials.accessKeyId,
    KEYTURN_S3_SECRET_ACCESS_KEY: storage.credentials.secretAccessKey,
  };
  /** Starts a server. The servers share only the database and the document store. */
  const start = (index: number, more: NodeJS.ProcessEnv, directory = projectDirectory) =>
    startProduct({
      dataDirectory: join(folder, `data-${index}`),
      env: { ...settings, ...more },
      ...(directory ? { projectDirectory: directory } : {}),
    });
  const servers = [await start(0, env), await start(1, env)];
  /** The output of all servers, including those that have ended. */
  const outputs = servers.map(({ output }) => output);
  const urls = servers.map(({ url }) => url);
  const proxy = await startBalancingProxy(urls);
  const waitUntilReady = () => waitUntil(() => urls.every(proxy.isReady));
  await waitUntilReady();

  vi.stubGlobal('document', { cookie: '' });
  vi.stubGlobal('fetch', fetchWithCookies(globalThis.fetch));
  const committedEvents = async () => {
    const { rows } = await pool.query<{ id: string }>('select id from broadcast_events');
    return new Set(rows.map(({ id }) => Number(id)));
  };
  const dashboards: { dashboard: Awaited<ReturnType<typeof openDashboard>>; place: number }[] = [];
  for (const { caseId, emails } of await addHouseholds(pool, clients)) {
    for (const [place, email] of emails.entries()) {
      const usesCookie = place === 0;
      const options = { url: proxy.url, email, caseId, usesCookie, committedEvents };
      dashboards.push({ dashboard: await openDashboard(options), place });
    }
  }
  await waitUntil(() => dashboards.every(({ dashboard }) => dashboard.isLive()));
  const webhooks = deliverWebhooks(simulator, proxy.url);

  return {
    simulator,
    pool,
    proxy,
    dashboards,
    dataDirectory: join(folder, 'data-0'),
    databaseUrl,
    office: await addOffice(pool),
    finishWebhooks: webhooks.finish,
    outputs: () => outputs.map((output) => output()),
    /** Replaces a server as an operator does: stops it with SIGTERM, and starts it at the same address. */
    async replace(index: number, directory?: string): Promise<void> {
      const stopped = servers[index] as RunningProduct;
      const ended = once(stopped.process, 'exit');
      stopped.process.kill('SIGTERM');
      expect(await ended).toEqual([0, null]);
      const more = { ...(directory ? {} : env), KEYTURN_DEMONSTRATION: 'off' };
      const replacement = await start(index, { ...more, PORT: new URL(stopped.url).port }, directory);
      servers[index] = replacement;
      outputs.push(replacement.output);
      await waitUntilReady();
    },
    async close(): Promise<void> {
      await webhooks.finish();
      for (const { dashboard } of dashboards) dashboard.close();
      vi.unstubAllGlobals();
      await proxy.close();
      await Promise.all(servers.map((server) => server.stop()));
      await pool.end();
      await cluster.stop();
      removeDataDirectory(folder);
      await simulator.stop();
      await storage.stop();
    },
  };
}

async function waitUntil(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await pause(100);
}

/** Delivers webhooks through the proxy. Like Stripe, it repeats those that are not answered with 200. */
function deliverWebhooks(simulator: StripeSimulator, url: string) {
  const { webhooks } = simulator;
  let isOver = false;
  const deliverAll = async () => {
    while (!isOver || webhooks.waiting.length > 0) {
      const events = webhooks.waiting.splice(0);
      const statuses = await Promise.all(
        events.map((event) =>
          webhooks.deliver(`${url}/api/webhooks/stripe`, event, { at: new Date() }).catch(() => 0),
        ),
      );
      webhooks.waiting.push(...events.filter((_, index) => statuses[index] !== 200));
      await pause(100);
    }
  };
  const delivering = deliverAll();
  return {
    /** Resolves when every webhook was accepted. */
    finish: () => {
      isOver = true;
      return delivering;
    },
  };
}
