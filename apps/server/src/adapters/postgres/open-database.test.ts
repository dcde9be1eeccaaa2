import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestDatabase } from '@keyturn/testkit';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startEmbeddedCluster } from './embedded-cluster.ts';
import { openDatabaseForCommand, openDatabaseForServer } from './open-database.ts';

let dataDirectory: string;
const options = () => ({ databaseUrl: null, dataDirectory });
beforeEach(() => {
  dataDirectory = mkdtempSync(join(tmpdir(), 'keyturn-cluster-'));
});
afterEach(async () => {
  const cluster = await startEmbeddedCluster({ dataDirectory }).catch(() => undefined);
  await cluster?.stop();
  rmSync(dataDirectory, { recursive: true, force: true });
});

async function queryFirstRow(url: string, sql: string) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows[0];
  } finally {
    await client.end();
  }
}

describe('embedded database', () => {
  test('the embedded database is durable, has checksums, and listens only on this machine', async () => {
    const opened = await openDatabaseForServer(options());
    const settings = await queryFirstRow(
      opened.url,
      "select current_setting('fsync') fsync, current_setting('data_checksums') checksums, current_setting('listen_addresses') listens",
    );
    expect(settings).toEqual({ fsync: 'on', checksums: 'on', listens: '127.0.0.1' });
    await opened.close();
  });

  test('a second server on the data directory fails with the address of the first', async () => {
    const first = await openDatabaseForServer(options());
    first.announce({ pid: 4711, address: 'http://127.0.0.1:4720' });
    await expect(openDatabaseForServer(options())).rejects.toThrow(
      /Keyturn is running at http:\/\/127\.0\.0\.1:4720 \(process 4711\) on the data directory/,
    );
    expect(await queryFirstRow(first.url, 'select 1 as ok')).toEqual({ ok: 1 });
    await first.close();
  });

  test('the next start uses the embedded database that a killed server left running', async () => {
    const leftRunning = await startEmbeddedCluster({ dataDirectory });
    const started = await queryFirstRow(
      leftRunning.urlOf('postgres'),
      'select pg_postmaster_start_time() as at',
    );
    const opened = await openDatabaseForServer(options());
    expect(await queryFirstRow(opened.url, 'select pg_postmaster_start_time() as at')).toEqual(started);
    await opened.close();
    expect(existsSync(join(dataDirectory, 'server.json'))).toBe(false);
  });

  test('starts in spite of a stale pid file, without touching the process that has that id now', async () => {
    const first = await openDatabaseForServer(options());
    await first.close();
    const directory = await clusterDirectory();
    writeFileSync(
      join(directory, 'postmaster.pid'),
      `${process.pid}\n${directory}\n1700000000\n5432\n\n127.0.0.1\n`,
    );
    const opened = await openDatabaseForServer(options());
    expect(await queryFirstRow(opened.url, 'select 1 as ok')).toEqual({ ok: 1 });
    await opened.close();
  });

  test('rejects a data directory of another major version of PostgreSQL', async () => {
    await (await openDatabaseForServer(options())).close();
    const file = join(await clusterDirectory(), 'PG_VERSION');
    const version = readFileSync(file, 'utf8');
    writeFileSync(file, '17\n');
    await expect(openDatabaseForServer(options())).rejects.toThrow(
      /created by PostgreSQL 17, but this Keyturn includes PostgreSQL 18/,
    );
    writeFileSync(file, version);
  });

  test('a command shares the embedded database with a running server and leaves it running', async () => {
    const server = await openDatabaseForServer(options());
    const command = await openDatabaseForCommand(options());
    expect(command.url).toBe(server.url);
    await command.close();
    expect(await queryFirstRow(server.url, 'select 1 as ok')).toEqual({ ok: 1 });
    await server.close();
  });

  test('an embedded database started for a command stops with it', async () => {
    const command = await openDatabaseForCommand(options());
    await command.close();
    await expect(queryFirstRow(command.url, 'select 1')).rejects.toThrow();
  });

  test('only the last of several commands stops the embedded database', async () => {
    const first = await openDatabaseForCommand(options());
    const second = await openDatabaseForCommand(options());
    const client = new pg.Client({ connectionString: second.url });
    await client.connect();
    await first.close();
    expect((await client.query('select 1 as ok')).rows).toEqual([{ ok: 1 }]);
    await client.end();
    await second.close();
    await expect(queryFirstRow(second.url, 'select 1')).rejects.toThrow();
  });

  test('a stopping server leaves the embedded database running for a command, which then stops it', async () => {
    const server = await openDatabaseForServer(options());
    const command = await openDatabaseForCommand(options());
    const client = new pg.Client({ connectionString: command.url });
    await client.connect();
    await server.close();
    expect((await client.query('select 1 as ok')).rows).toEqual([{ ok: 1 }]);
    const next = await openDatabaseForServer(options());
    await next.close();
    expect((await client.query('select 1 as ok')).rows).toEqual([{ ok: 1 }]);
    await client.end();
    await command.close();
    await expect(queryFirstRow(command.url, 'select 1')).rejects.toThrow();
  });

  test('a command that starts while another stops the embedded database starts it again', async () => {
    const first = await openDatabaseForCommand(options());
    const closing = first.close();
    const second = await openDatabaseForCommand(options());
    await closing;
    expect(await queryFirstRow(second.url, 'select 1 as ok')).toEqual({ ok: 1 });
    await second.close();
    await expect(queryFirstRow(second.url, 'select 1')).rejects.toThrow();
  });

  test('concurrent commands start the embedded database once', async () => {
    await (await openDatabaseForCommand(options())).close();
    const opened = await Promise.all([1, 2, 3].map(() => openDatabaseForCommand(options())));
    expect(new Set(opened.map(({ url }) => url)).size).toBe(1);
    for (const { url, close } of opened) {
      expect(await queryFirstRow(url, 'select 1 as ok')).toEqual({ ok: 1 });
      await close();
    }
  });

  test('two commands that end at the same time stop the embedded database', async () => {
    const [first, second] = [
      await openDatabaseForCommand(options()),
      await openDatabaseForCommand(options()),
    ];
    await Promise.all([first.close(), second.close()]);
    await expect(queryFirstRow(first.url, 'select 1')).rejects.toThrow();
  });

  test('a second server that was rejected does not keep the embedded database running', async () => {
    const server = await openDatabaseForServer(options());
    await expect(openDatabaseForServer(options())).rejects.toThrow(/Keyturn is running already/);
    await server.close();
    await expect(queryFirstRow(server.url, 'select 1')).rejects.toThrow();
  });

  /** Asks the cluster for its folder, which is not in the data directory if the postgres account cannot enter that. */
  async function clusterDirectory(): Promise<string> {
    const cluster = await startEmbeddedCluster({ dataDirectory });
    const { directory } = await queryFirstRow(
      cluster.urlOf('postgres'),
      "select current_setting('data_directory') as directory",
    );
    await cluster.stop();
    return directory;
  }
});

describe('external database', () => {
  test('an external database is migrated and stays running', async () => {
    const testDatabase = await createTestDatabase();
    const opened = await openDatabaseForServer({ databaseUrl: testDatabase.url, dataDirectory });
    expect(opened.url).toBe(testDatabase.url);
    await opened.close();
    expect(await queryFirstRow(testDatabase.url, 'select 1 as ok')).toEqual({ ok: 1 });
    await testDatabase.drop();
  });

  test('an unreachable external database fails with a message that does not contain the password', async () => {
    const unreachable = { databaseUrl: 'postgres://me:s3cret@127.0.0.1:1/none', dataDirectory };
    await expect(openDatabaseForServer(unreachable)).rejects.toThrow(
      /127\.0\.0\.1:1\/none cannot be reached .* check DATABASE_URL/,
    );
    await expect(openDatabaseForServer(unreachable)).rejects.not.toThrow(/s3cret/);
  });
});
