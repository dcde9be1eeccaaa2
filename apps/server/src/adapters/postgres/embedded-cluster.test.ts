import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, expect, test } from 'vitest';
import { type EmbeddedCluster, startEmbeddedCluster } from './embedded-cluster.ts';

const folder = mkdtempSync(join(tmpdir(), 'keyturn-cluster-'));
// As root, PostgreSQL runs as another user, who must be able to enter it.
chmodSync(folder, 0o711);
let cluster: EmbeddedCluster | undefined;
afterEach(async () => {
  await cluster?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Returns the address of the client as PostgreSQL sees it: null for a connection through a Unix socket. */
async function clientAddress(): Promise<string | null> {
  const client = new pg.Client({ connectionString: cluster?.urlOf('postgres') });
  await client.connect();
  const { rows } = await client.query<{ address: string | null }>('select inet_client_addr() as address');
  await client.end();
  return rows[0]?.address ?? null;
}

test.runIf(process.platform !== 'win32')(
  'an embedded database is reached through a socket in its folder, and by port where the path is too long for one',
  async () => {
    cluster = await startEmbeddedCluster({ dataDirectory: join(folder, 'data'), durable: false });
    expect(await clientAddress()).toBeNull();
    await cluster.stop();
    cluster = await startEmbeddedCluster({ dataDirectory: join(folder, 'a'.repeat(100)), durable: false });
    expect(await clientAddress()).toMatch(/^127\.0\.0\.1/);
  },
);
