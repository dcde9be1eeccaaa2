import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  buildCase,
  buildStoredDocument,
  createTestDatabase,
  createTestServer,
  fixtureDashboard,
  measureSlowness,
  stripeSettings,
  type TestDatabase,
  type TestServer,
} from '@keyturn/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createFileStore } from '../adapters/files/file-store.ts';
import { readSettings } from '../settings/read-settings.ts';
import { untilBlocked } from '../testing/until-blocked.ts';
import { compose, type Keyturn } from './compose.ts';

let database: TestDatabase;
const projectDirectory = fileURLToPath(new URL('../../../../', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'keyturn-server-'));
beforeAll(async () => {
  database = await createTestDatabase();
  // The other servers of this file have separate stores.
  await createFileStore(join(folder, 'documents')).writeId(randomUUID());
});
afterAll(async () => {
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

/** Composes a server that does not listen yet. */
const composeServer = (env: NodeJS.ProcessEnv = {}) =>
  compose({
    settings: readSettings(
      {
        PORT: '0',
        LOG_LEVEL: 'silent',
        KEYTURN_ENVIRONMENT: 'test',
        KEYTURN_DEMONSTRATION: 'off',
        KEYTURN_DATA_DIR: folder,
        KEYTURN_DASHBOARD_DIR: fixtureDashboard,
        KEYTURN_DESK_DIR: fixtureDashboard,
        ...env,
      },
      projectDirectory,
    ),
    databaseUrl: database.url,
    projectDirectory,
    version: '0.0.0',
  });

const addressOf = ({ app }: Keyturn): string =>
  `http://127.0.0.1:${(app.server.address() as AddressInfo | null)?.port ?? 1}`;
const statusOf = async (keyturn: Keyturn, path: string): Promise<number | null> =>
  fetch(`${addressOf(keyturn)}${path}`).then(
    ({ status }) => status,
    () => null,
  );

interface Start {
  listening: Promise<string>;
  /** Ends the use of the table that the start waits for. */
  unblock(): Promise<unknown>;
  close(): Promise<void>;
}

/** Runs a test while the start of a server waits for a table that another connection uses. */
async function whileStarting(keyturn: Keyturn, work: (start: Start) => Promise<void>): Promise<void> {
  const other = await database.pool.connect();
  const unblock = () => other.query('rollback');
  let closing: Promise<void> | undefined;
  const close = () => {
    closing ??= keyturn.close();
    return closing;
  };
  try {
    await other.query('begin; lock table payments');
    const listening = keyturn.listen();
    listening.catch(() => {});
    await untilBlocked(database);
    await work({ listening, unblock, close });
  } finally {
    await unblock();
    other.release();
    await close();
  }
}

describe('a starting server', () => {
  test('is alive but not ready until each of its parts runs', async () => {
    const keyturn = await composeServer();
    await whileStarting(keyturn, async ({ listening, unblock }) => {
      expect(await statusOf(keyturn, '/healthz')).toBe(200);
      expect(await statusOf(keyturn, '/readyz')).toBe(503);
      await unblock();
      await listening;
      expect(await statusOf(keyturn, '/readyz')).toBe(200);
    });
  });

  test('is not ready when one of its parts fails', async () => {
    const keyturn = await composeServer();
    await whileStarting(keyturn, async ({ listening }) => {
      // After the time limit for locks.
      await expect(listening).rejects.toThrow(/Failed query/);
      expect(await statusOf(keyturn, '/readyz')).toBe(503);
    });
  });

  test('fault 94: a server does not start with another document store or KEYTURN_STAFF_KEY than earlier servers', async () => {
    await (await composeServer()).close();
    const settings = { KEYTURN_DATA_DIR: join(folder, 'other'), KEYTURN_STAFF_KEY: 'k'.repeat(40) };
    for (const [name, value] of Object.entries(settings))
      await expect(composeServer({ [name]: value }), name).rejects.toThrow(
        name === 'KEYTURN_DATA_DIR' ? 'is not the one of this database' : 'KEYTURN_STAFF_KEY is not the one',
      );
  });

  test('a server that starts finishes a restore that was interrupted', async () => {
    await database.pool.query("insert into unfinished_restores (erased) values ('[]')");
    await (await composeServer()).close();
    expect((await database.pool.query('select from unfinished_restores')).rowCount).toBe(0);
  });

  test('fault 72: a server that has not started yet stops without draining', async () => {
    const keyturn = await composeServer({ KEYTURN_DRAIN_SECONDS: '600' });
    await whileStarting(keyturn, async ({ listening, unblock, close }) => {
      await keyturn.drain();
      const closing = close();
      await unblock();
      await expect(listening).rejects.toThrow('stopped before it had started');
      await closing;
    });
  });
});

/** A payment provider that accepts requests and never answers. */
async function startSilentProvider() {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    isAsked: () => sockets.size > 0,
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

/** Requests a large document without reading it, as a client on a slow network. */
async function startSlowDownload(server: TestServer) {
  const { matters, clientId } = await buildCase(server.database, {});
  const content = Buffer.alloc(24 * 1024 * 1024);
  const matterId = matters[0]?.id ?? '';
  const { id } = await buildStoredDocument(server.database, server.files, { matterId, content });
  const { authorization } = await server.signInAs(clientId);
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
  socket.on('error', () => {});
  let received = 0;
  socket.write(
    `GET /api/documents/${id}/content HTTP/1.1\r\nhost: localhost\r\nauthorization: ${authorization}\r\n\r\n`,
  );
  await once(socket, 'readable');
  return {
    size: content.length,
    /** Reads the rest. @returns the received bytes, headers included */
    finish: async () => {
      socket.on('data', (part) => {
        received += part.length;
      });
      if (!socket.closed) await once(socket, 'close');
      return received;
    },
  };
}

/** Whether the server accepts another connection. */
const accepts = (server: TestServer): Promise<boolean> =>
  fetch(`${server.url}/healthz`).then(
    () => true,
    () => false,
  );

describe('a stopping server', () => {
  test('fault 72: stops within seconds although the payment provider does not answer', async () => {
    const provider = await startSilentProvider();
    const env = stripeSettings({ url: provider.url, webhookSecret: 'whsec_test' });
    const server = await createTestServer({ database, env });
    await expect.poll(provider.isAsked).toBe(true);
    const stoppedAt = performance.now();
    const stopping = server.stop();
    await expect.poll(() => accepts(server)).toBe(false);
    await stopping;
    expect(performance.now() - stoppedAt).toBeLessThan(8_000 * measureSlowness());
    provider.close();
  });

  test('fault 72: accepts no connection while a slow download finishes, although the payment provider does not answer', async () => {
    const provider = await startSilentProvider();
    const env = stripeSettings({ url: provider.url, webhookSecret: 'whsec_test' });
    const server = await createTestServer({ database, env });
    await expect.poll(provider.isAsked).toBe(true);
    const download = await startSlowDownload(server);
    let isStopped = false;
    const stopping = server.stop().then(() => {
      isStopped = true;
    });
    await expect.poll(() => accepts(server), { timeout: 2_000 * measureSlowness() }).toBe(false);
    expect(isStopped).toBe(false);
    expect(await download.finish()).toBeGreaterThan(download.size);
    await stopping;
    provider.close();
  });

  test('fault 72: cuts a download that takes longer than KEYTURN_STOP_SECONDS', async () => {
    const server = await createTestServer({ database, env: { KEYTURN_STOP_SECONDS: '1' } });
    const download = await startSlowDownload(server);
    const stoppedAt = performance.now();
    await server.stop();
    // Much earlier than a download is aborted whose client reads nothing.
    expect(performance.now() - stoppedAt).toBeLessThan(10_000 * measureSlowness());
    expect(await download.finish()).toBeLessThan(download.size);
  });
});
