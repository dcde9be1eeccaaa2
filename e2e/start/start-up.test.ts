import { once } from 'node:events';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { signInForToken } from '../harness/api-client.ts';
import { runKeyturn } from '../harness/run-keyturn.ts';
import {
  newDataDirectory,
  type RunningProduct,
  removeDataDirectory,
  startProduct,
} from '../harness/start-product.ts';
import { temporaryFolder } from '../harness/temporary-folder.ts';

const folder = temporaryFolder();
let product: RunningProduct;
beforeAll(async () => {
  product = await startProduct({ dataDirectory: newDataDirectory() });
});
afterAll(async () => {
  await product.stop();
  removeDataDirectory(product.dataDirectory);
});

/** Returns the output of a start that must fail, which is exactly one line. */
async function failedStart(env: NodeJS.ProcessEnv, dataDirectory = newDataDirectory()): Promise<string> {
  const failure = await startProduct({ env, dataDirectory }).then(
    async (started) => {
      await started.stop();
      throw new Error('it started');
    },
    (error: Error) => error.message,
  );
  if (dataDirectory !== product.dataDirectory) removeDataDirectory(dataDirectory);
  expect(failure).toMatch(/ended with 1: /);
  const said = failure.replace(/^The server ended with 1: /, '').trim();
  expect(said.split('\n')).toEqual([expect.any(String)]);
  return said;
}

describe('starting the server', () => {
  test('the first start prints the address, the four sign-ins, the password and the test cards', () => {
    for (const email of ['amelia', 'tom', 'priya', 'george'])
      expect(product.output()).toContain(`${email}@example.test`);
    expect(product.output()).toContain('turn-the-key-2026');
    expect(product.output()).toContain('4242 4242 4242 4242');
    expect(product.output()).toContain('4000 0000 0000 0002');
  });

  test('a started server answers /healthz and /readyz', async () => {
    expect((await fetch(`${product.url}/healthz`)).status).toBe(200);
    expect((await fetch(`${product.url}/readyz`)).status).toBe(200);
  });

  test('keyturn backup runs next to a server, and keyturn restore restores it once, also without a damaged document', async () => {
    const backups = join(folder, 'backups');
    const made = await runKeyturn(product.dataDirectory, ['backup', backups]);
    expect(made).toEqual({ code: 0, output: expect.stringMatching(/SHA-256 of the manifest: [0-9a-f]{64}/) });
    const stored = readdirSync(join(backups, 'documents'), { recursive: true, withFileTypes: true });
    const document = stored.find((entry) => entry.isFile());
    rmSync(join(document?.parentPath ?? '', document?.name ?? ''));
    const name = readdirSync(backups).find((entry) => entry !== 'documents') ?? '';
    const place = newDataDirectory();
    try {
      const restore = (...options: string[]) =>
        runKeyturn(place, ['restore', join(backups, name), ...options]);
      expect(await restore()).toEqual({ code: 2, output: expect.stringContaining('--without-damaged') });
      const restored = await restore('--without-damaged');
      expect(restored, restored.output).toMatchObject({ code: 1 });
      expect(restored.output).toMatch(
        /^Restored: the state of .*^DAMAGED: .+ is missing or damaged in the backup\.$/ms,
      );
      const again = await restore('--without-damaged');
      expect(again).toEqual({
        code: 2,
        output: expect.stringContaining('only restored into an empty database'),
      });
    } finally {
      removeDataDirectory(place);
    }
  });

  test('fault 38: a start on a data directory in use names the server that uses it', async () => {
    const said = await failedStart({}, product.dataDirectory);
    expect(said).toContain(`Keyturn is running at ${product.url} (process ${product.process.pid})`);
    expect((await fetch(`${product.url}/readyz`)).status).toBe(200);
  });

  test('a start on a port in use says how to choose another', async () => {
    const other = createServer();
    const port = await new Promise<number>((done) =>
      other.listen(0, '127.0.0.1', () => done((other.address() as { port: number }).port)),
    );
    const said = await failedStart({ PORT: String(port) });
    other.close();
    expect(said).toBe(
      `Port ${port} is in use by another program: set PORT to a free port, for example PORT=${port + 1}.`,
    );
  });

  test('a start with invalid settings lists each of them', async () => {
    const said = await failedStart({ PORT: 'eighty', KEYTURN_ENVIRONMENT: 'prod' });
    expect(said).toContain('KEYTURN_ENVIRONMENT must be one of');
    expect(said).toContain('PORT must be a whole number');
  });

  test('a start with a file as its data directory reports it', async () => {
    expect(await failedStart({ KEYTURN_DATA_DIR: '/dev/null' })).toContain('KEYTURN_DATA_DIR');
  });

  test('a start with an unreachable DATABASE_URL says what to check', async () => {
    const said = await failedStart({ DATABASE_URL: 'postgres://keyturn@127.0.0.1:1/keyturn' });
    expect(said).toContain('check DATABASE_URL');
  });

  test('fault 72: a later SIGTERM or SIGKILL ends a draining server at once, the next start takes over its PostgreSQL, and Ctrl-C twice stops it cleanly', async () => {
    const env = { KEYTURN_DRAIN_SECONDS: '600' };
    const startDraining = async (dataDirectory?: string) => {
      const product = await startProduct({ env, ...(dataDirectory ? { dataDirectory } : {}) });
      product.process.kill('SIGTERM');
      await expect.poll(async () => (await fetch(`${product.url}/readyz`)).status).toBe(503);
      await signInForToken(product.url, 'amelia@example.test');
      return product;
    };
    const first = await startDraining();
    const { dataDirectory } = first;
    // A signal within a second of the first one is the same Ctrl-C.
    const signalAgain = () => first.process.kill('SIGTERM') && first.process.exitCode;
    await expect.poll(signalAgain, { interval: 200 }).not.toBeNull();
    expect(first.process.exitCode).toBe(1);
    const second = await startDraining(dataDirectory);
    await second.kill();
    const third = await startProduct({ dataDirectory });
    await signInForToken(third.url, 'amelia@example.test');
    third.process.kill('SIGINT');
    expect(await third.stop()).toBe(0);
    removeDataDirectory(dataDirectory);
  });

  test('fault 72: a server ends ten seconds after KEYTURN_STOP_SECONDS although PostgreSQL does not stop, and says so', async () => {
    const stuck = await startProduct({ env: { KEYTURN_STOP_SECONDS: '1' } });
    const postmaster = Number(
      readFileSync(join(stuck.dataDirectory, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0],
    );
    process.kill(postmaster, 'SIGSTOP');
    try {
      expect(await stuck.stop()).toBe(1);
      expect(stuck.output()).toContain(
        'The server ended unfinished, because its stop took longer than 11 seconds.',
      );
    } finally {
      process.kill(postmaster, 'SIGCONT');
    }
    removeDataDirectory(stuck.dataDirectory);
  });

  test('a stopping server is not ready but answers for KEYTURN_DRAIN_SECONDS, and then stops', async () => {
    const draining = await startProduct({ env: { KEYTURN_DRAIN_SECONDS: '2' } });
    const ended = once(draining.process, 'exit');
    draining.process.kill('SIGTERM');
    await expect.poll(async () => (await fetch(`${draining.url}/readyz`)).status).toBe(503);
    await signInForToken(draining.url, 'amelia@example.test');
    expect(await ended).toEqual([0, null]);
    removeDataDirectory(draining.dataDirectory);
  });

  test('a start in production rejects demonstration data', async () => {
    const first = await startProduct();
    await first.stop();
    const said = await failedStart(
      {
        KEYTURN_ENVIRONMENT: 'production',
        KEYTURN_PAYMENT_PROVIDER: 'off',
        KEYTURN_SMTP_URL: 'off',
        KEYTURN_PUBLIC_URL: 'off',
      },
      first.dataDirectory,
    );
    expect(said).toContain('demonstration');
    removeDataDirectory(first.dataDirectory);
  });
});
