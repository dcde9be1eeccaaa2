import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CaseDocument, type CaseSearch, calls } from '@keyturn/contract';
import { runLength } from '@keyturn/testkit/run-length.ts';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type EmbeddedCluster,
  startEmbeddedCluster,
} from '../../apps/server/src/adapters/postgres/embedded-cluster.ts';
import { migrations } from '../../apps/server/src/schema/read-migrations.ts';
import { releases } from '../../apps/server/src/schema/releases.ts';
import { expandingMigrations } from '../../apps/server/src/testing/expanding-migrations.ts';
import { sendRequest, signInForToken } from '../harness/api-client.ts';
import { runKeyturn } from '../harness/run-keyturn.ts';
import {
  projectDirectory,
  type RunningProduct,
  removeDataDirectory,
  startProduct,
} from '../harness/start-product.ts';
import { buildNextRelease, buildServerOf, hasWholeHistory, isInHistory } from './build-release.ts';

const release = releases.at(-1) ?? { version: 'none', lastMigration: 0, commit: 'none' };
/** Building the release takes half a minute. `expand-and-contract.test.ts` compares the schemas in every run. */
const runs = runLength({ short: false, long: true });

test.runIf(runs || hasWholeHistory())(
  'the commit of every release is in the history, so that it can be built',
  () => {
    expect(releases.filter(({ commit }) => !isInHistory(commit))).toEqual([]);
  },
);

describe.runIf(runs)(`servers of ${release.version} on the schema of the next release`, () => {
  const folder = mkdtempSync(join(tmpdir(), 'keyturn-upgrade-'));
  let built = '';
  let next = '';
  let cluster: EmbeddedCluster;
  let older: RunningProduct;
  let newer: RunningProduct;
  /** The servers share the documents. */
  const dataDirectory = () => join(folder, 'data');
  const env = () => ({ DATABASE_URL: cluster.urlOf('upgrade') });
  const startOlder = () =>
    startProduct({
      projectDirectory: built,
      dataDirectory: dataDirectory(),
      env: {
        ...env(),
        KEYTURN_DASHBOARD_DIR: fixtureDashboard,
        KEYTURN_DESK_DIR: fixtureDashboard,
      },
    });
  /** What the changed trigger has recorded. */
  const paidChannels = async () => {
    const client = new pg.Client({ connectionString: cluster.urlOf('upgrade') });
    await client.connect();
    const { rows } = await client.query<{ channel: string }>('select channel from paid_channels');
    await client.end();
    return rows.map(({ channel }) => channel);
  };
  beforeAll(async () => {
    built = buildServerOf(release.commit);
    next = buildNextRelease();
    cluster = await startEmbeddedCluster({ dataDirectory: folder });
    const owner = new pg.Client({ connectionString: cluster.urlOf('postgres') });
    await owner.connect();
    await owner.query('create database upgrade');
    await owner.end();
    older = await startOlder();
  }, 600_000);
  afterAll(async () => {
    await newer?.stop();
    await older?.stop();
    await cluster?.stop();
    removeDataDirectory(folder);
    for (const folder of [built, next]) if (folder) rmSync(folder, { recursive: true, force: true });
  });

  test('servers of the last release continue to work while the database is migrated, next to a server of the next', async () => {
    await expectToWork(older, 'amelia@example.test');
    expect(await runKeyturn(dataDirectory(), ['migrate'], env(), next)).toEqual({
      code: 0,
      output: `Applied ${migrations.length - release.lastMigration + expandingMigrations.length} migrations.\n`,
    });
    await expectToWork(older, 'tom@example.test');
    expect(await paidChannels(), 'payments of the last release on the next schema').toContain('dashboard');
    newer = await startProduct({ projectDirectory: next, dataDirectory: dataDirectory(), env: env() });
    await expectToWork(newer, 'amelia@example.test');
    await expectToWork(older, 'tom@example.test');
  });

  test('servers of the last release start again on the migrated database', async () => {
    await older.stop();
    older = await startOlder();
    await expectToWork(older, 'amelia@example.test');
    expect((await fetch(`${older.url}/readyz`)).status).toBe(200);
  });
});

const fixtureDashboard = join(projectDirectory, 'packages/testkit/fixture-dashboard');

/** The reads of clients that need no id. */
const reads = Object.entries(calls)
  .filter(([key, { access }]) => access === 'client' && /^GET [^{]+$/.test(key))
  .map(([key]) => key.replace('GET ', ''));

// biome-ignore lint/suspicious/noExplicitAny: the data of an answer
type Call = (path: string, body?: unknown) => Promise<any>;

/** Signs in, reads everything, pays for a search, and reads and signs a document. */
async function expectToWork({ url, output }: RunningProduct, email: string): Promise<void> {
  const token = await signInForToken(url, email);
  const call: Call = async (path, body) => {
    const answer = await sendRequest(url, path, { token, body, method: body === undefined ? 'GET' : 'POST' });
    const text = await answer.text();
    expect(answer.status, `${path}: ${text}\n${output()}`).toBeLessThan(300);
    return text === '' ? null : JSON.parse(text).data;
  };
  expect(reads.length).toBeGreaterThan(5);
  for (const path of reads) await call(path);
  const searches: CaseSearch[] = await call('/case-searches');
  const unpaid = searches.find(({ status }) => status === 'awaiting_payment');
  if (unpaid) await pay(call, unpaid.id);
  const documents: CaseDocument[] = await call('/documents');
  for (const { id } of documents.slice(0, 3)) await call(`/documents/${id}/read`, {});
  const unsigned = documents.find(
    ({ signature }) => signature?.required && signature.consent !== null && !signature.needs_confirmation,
  );
  if (unsigned?.signature) {
    const { first_name, last_name } = await call('/client');
    const name = `${first_name} ${last_name}`;
    await call(`/documents/${unsigned.id}/signature`, {
      name,
      consent: unsigned.signature.consent,
      sha256: unsigned.sha256,
    });
  }
  await call('/logout', {});
}

async function pay(call: Call, search: string): Promise<void> {
  const { order_wording } = (await call(`/case-searches/${search}`)) as CaseSearch;
  const started: { client_secret: string } = await call(`/case-searches/${search}/payments`, {
    order_now: true,
    // The last release does not send it, and does not accept it.
    ...(order_wording ? { order_wording } : {}),
    own_card: true,
  });
  const intent = started.client_secret.split('_secret')[0];
  await call(`/sandbox/payment-intents/${intent}/confirm`, {
    client_secret: started.client_secret,
    card: { number: '4242424242424242', exp_month: 12, exp_year: 2030, cvc: '123' },
  });
  await expect
    .poll(async () => ((await call(`/case-searches/${search}`)) as CaseSearch).status, { timeout: 20_000 })
    .not.toBe('awaiting_payment');
}
