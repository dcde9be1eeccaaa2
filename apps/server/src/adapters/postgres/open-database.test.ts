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

async function ask(url: string, sql: string) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows[0];
  } finally {
    await client.end();
  }
}

describe('the embedded database', () => {
  test('is durable, checks its pages, and listens on this machine alone', async () => {
    const opened = await openDatabaseForServer(options());
    const settings = await ask(
      opened.url,
      "select current_setting('fsync') fsync, current_setting('data_checksums') checksums, current_setting('listen_addresses') listens",
    );
    expect(settings).toEqual({ fsync: 'on', checksums: 'on', listens: '127.0.0.1' });
    await opened.close();
  });

  test('belongs to one server: a second start says so and names the first', async () => {
    const first = await openDatabaseForServer(options());
    first.announce({ pid: 4711, address: 'http://127.0.0.1:4720' });
    await expect(openDatabaseForServer(options())).rejects.toThrow(
      /Keyturn is running at http:\/\/127\.0\.0\.1:4720 \(process 4711\) on the data directory/,
    );
    expect(await ask(first.url, 'select 1 as still')).toEqual({ still: 1 });
    await first.close();
  });

  test('that outlived a killed server is taken over by the next start', async () => {
    const left = await startEmbeddedCluster({ dataDirectory });
    const started = await ask(left.urlOf('postgres'), 'select pg_postmaster_start_time() as at');
    const opened = await openDatabaseForServer(options());
    expect(await ask(opened.url, 'select pg_postmaster_start_time() as at')).toEqual(started);
    await opened.close();
    expect(existsSync(join(dataDirectory, 'server.json'))).toBe(false);
  });

  test('starts over a pid file whose number now belongs to a stranger, and leaves the stranger alone', async () => {
    const first = await openDatabaseForServer(options());
    await first.close();
    const place = await clusterDirectory();
    writeFileSync(join(place, 'postmaster.pid'), `${process.pid}\n${place}\n1700000000\n5432\n\n127.0.0.1\n`);
    const opened = await openDatabaseForServer(options());
    expect(await ask(opened.url, 'select 1 as works')).toEqual({ works: 1 });
    await opened.close();
  });

  test('made by another PostgreSQL is refused in one line', async () => {
    await (await openDatabaseForServer(options())).close();
    const file = join(await clusterDirectory(), 'PG_VERSION');
    const version = readFileSync(file, 'utf8');
    writeFileSync(file, '17\n');
    await expect(openDatabaseForServer(options())).rejects.toThrow(
      /made by PostgreSQL 17, this Keyturn brings 18/,
    );
    writeFileSync(file, version);
  });

  test('serves a command beside a running server, and is left running', async () => {
    const server = await openDatabaseForServer(options());
    const command = await openDatabaseForCommand(options());
    expect(command.url).toBe(server.url);
    await command.close();
    expect(await ask(server.url, 'select 1 as still')).toEqual({ still: 1 });
    await server.close();
  });

  test('started for a command alone ends with it', async () => {
    const command = await openDatabaseForCommand(options());
    await command.close();
    await expect(ask(command.url, 'select 1')).rejects.toThrow();
  });

  test('outlives every command but the last, in whatever order they end', async () => {
    const first = await openDatabaseForCommand(options());
    const second = await openDatabaseForCommand(options());
    const atWork = new pg.Client({ connectionString: second.url });
    await atWork.connect();
    await first.close();
    expect((await atWork.query('select 1 as still')).rows).toEqual([{ still: 1 }]);
    await atWork.end();
    await second.close();
    await expect(ask(second.url, 'select 1')).rejects.toThrow();
  });

  test('outlives a server that stops under a command, and ends with the command', async () => {
    const server = await openDatabaseForServer(options());
    const command = await openDatabaseForCommand(options());
    const atWork = new pg.Client({ connectionString: command.url });
    await atWork.connect();
    await server.close();
    expect((await atWork.query('select 1 as still')).rows).toEqual([{ still: 1 }]);
    const next = await openDatabaseForServer(options());
    await next.close();
    expect((await atWork.query('select 1 as still')).rows).toEqual([{ still: 1 }]);
    await atWork.end();
    await command.close();
    await expect(ask(command.url, 'select 1')).rejects.toThrow();
  });

  test('that is being stopped by one is started anew by who comes meanwhile', async () => {
    const first = await openDatabaseForCommand(options());
    const closing = first.close();
    const second = await openDatabaseForCommand(options());
    await closing;
    expect(await ask(second.url, 'select 1 as works')).toEqual({ works: 1 });
    await second.close();
    await expect(ask(second.url, 'select 1')).rejects.toThrow();
  });

  test('is started once by commands that come at once', async () => {
    await (await openDatabaseForCommand(options())).close();
    const opened = await Promise.all([1, 2, 3].map(() => openDatabaseForCommand(options())));
    expect(new Set(opened.map(({ url }) => url)).size).toBe(1);
    for (const { url, close } of opened) {
      expect(await ask(url, 'select 1 as works')).toEqual({ works: 1 });
      await close();
    }
  });

  test('is left by two at once and stopped once', async () => {
    const [first, second] = [
      await openDatabaseForCommand(options()),
      await openDatabaseForCommand(options()),
    ];
    await Promise.all([first.close(), second.close()]);
    await expect(ask(first.url, 'select 1')).rejects.toThrow();
  });

  test('is not kept by a start that was refused', async () => {
    const server = await openDatabaseForServer(options());
    await expect(openDatabaseForServer(options())).rejects.toThrow(/Keyturn is running already/);
    await server.close();
    await expect(ask(server.url, 'select 1')).rejects.toThrow();
  });

  /** Where the cluster really is: root may have had to put it where the postgres account can enter. */
  async function clusterDirectory(): Promise<string> {
    const cluster = await startEmbeddedCluster({ dataDirectory });
    const { directory } = await ask(
      cluster.urlOf('postgres'),
      "select current_setting('data_directory') as directory",
    );
    await cluster.stop();
    return directory;
  }
});

describe('a database by DATABASE_URL', () => {
  test('is migrated and used, and left running', async () => {
    const testDatabase = await createTestDatabase();
    const opened = await openDatabaseForServer({ databaseUrl: testDatabase.url, dataDirectory });
    expect(opened.url).toBe(testDatabase.url);
    await opened.close();
    expect(await ask(testDatabase.url, 'select 1 as still')).toEqual({ still: 1 });
    await testDatabase.drop();
  });

  test('that does not answer is one line that says what to check, without the password', async () => {
    const unreachable = { databaseUrl: 'postgres://me:s3cret@127.0.0.1:1/none', dataDirectory };
    await expect(openDatabaseForServer(unreachable)).rejects.toThrow(
      /127\.0\.0\.1:1\/none cannot be reached .* check DATABASE_URL/,
    );
    await expect(openDatabaseForServer(unreachable)).rejects.not.toThrow(/s3cret/);
  });
});
