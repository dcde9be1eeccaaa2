import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestDatabase } from '@keyturn/testkit';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { isDatabaseDamaged } from '../../platform/temporary-failure.ts';
import { migrate } from '../../schema/migrate.ts';
import { startEmbeddedCluster } from './embedded-cluster.ts';
import { openDatabaseForCommand, openDatabaseForServer } from './open-database.ts';
import { findPostgresAccount, locateInstallation } from './postgres-installation.ts';

const newDataDirectory = () => mkdtempSync(join(tmpdir(), 'keyturn-cluster-'));
/** The cluster is outside the data directory if the postgres account cannot enter that. */
const clusterOf = async (directory: string) =>
  (await locateInstallation(directory, findPostgresAccount())).clusterDirectory;

let dataDirectory: string;
const options = () => ({ databaseUrl: null, dataDirectory });
beforeEach(() => {
  dataDirectory = newDataDirectory();
});
afterEach(() => removeDataDirectory(dataDirectory));

async function removeDataDirectory(directory: string) {
  const cluster = await clusterOf(directory);
  if (existsSync(join(cluster, 'postmaster.pid'))) {
    await (await startEmbeddedCluster({ dataDirectory: directory }).catch(() => undefined))?.stop();
  }
  for (const folder of [cluster, directory]) rmSync(folder, { recursive: true, force: true });
}

async function postmasterOf(directory: string): Promise<number> {
  const [pid] = readFileSync(join(await clusterOf(directory), 'postmaster.pid'), 'utf8').split('\n');
  return Number(pid);
}

/** Returns the first row of the last statement. */
async function queryFirstRow(url: string, sql: string) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return [await client.query(sql)].flat().at(-1)?.rows[0];
  } finally {
    await client.end();
  }
}

const appendOnly = ['payment_changes', 'document_signatures', 'signed_files', 'receipt_files'];

/** Statements that would alter the record of payments and signatures. */
const forbidden = [
  ...[...appendOnly, 'payments'].flatMap((table) => [
    `alter table ${table} disable trigger user`,
    `delete from ${table}`,
    `truncate ${table} cascade`,
    `drop table ${table} cascade`,
  ]),
  `with opened as (insert into erasures (subject_kind, subject_id, reference_hash, occurred_at, ordered_by, basis)
     values ('case', gen_random_uuid(), sha256('x'), now(), 'x', 'request') returning id)
   delete from payments`,
  "update erasures set ordered_by = ''",
  'delete from legal_holds',
  'update payment_changes set money = 0',
  "update document_signatures set name = ''",
  'update signed_files set size = 1',
  'update receipt_files set size = 1',
  "insert into payment_changes (payment_id, to_status, cause, money) values (gen_random_uuid(), 'succeeded', '', 1)",
  "insert into payment_transitions values ('cancelled', 'succeeded')",
  'create temporary table forged (like payments); create trigger forge after insert on forged for each row execute function record_payment_change()',
  'delete from schema_migrations',
  'alter function refuse_change() rename to refuse',
  'create or replace function refuse_change() returns trigger language plpgsql as $$ begin return null; end $$',
  'set session_replication_role = replica',
  'create table public.another (id int)',
  'create role another',
];

/** Runs each statement on a new connection, and returns how it ended: done, or PostgreSQL's error code. */
async function codesOf(url: string, statements: readonly string[]) {
  const outcomes: [string, string][] = [];
  for (const sql of statements) {
    const code = await queryFirstRow(url, sql).then(
      () => 'done',
      (error: { code?: string }) => error.code ?? String(error),
    );
    outcomes.push([sql, code]);
  }
  return outcomes;
}

describe('embedded database', () => {
  let prepared: string;
  beforeAll(async () => {
    // Creating and migrating a cluster takes longer than these tests, so it happens once and each gets a copy.
    prepared = newDataDirectory();
    await (await openDatabaseForServer({ databaseUrl: null, dataDirectory: prepared })).close();
  });
  afterAll(() => removeDataDirectory(prepared));
  beforeEach(async () => {
    // Windows has no `cp`, so there each test starts with an empty data directory.
    if (process.platform === 'win32') return;
    // `-a` keeps the owners of the files, which PostgreSQL checks.
    const copy = (from: string, to: string) => execFileSync('cp', ['-a', `${from}/.`, to]);
    copy(prepared, dataDirectory);
    const cluster = await clusterOf(dataDirectory);
    if (!existsSync(cluster)) copy(await clusterOf(prepared), cluster);
  });

  test('fault 36: the embedded database is durable, has checksums, and listens only on this machine', async () => {
    const opened = await openDatabaseForServer(options());
    const settings = await queryFirstRow(
      opened.url,
      `select current_setting('fsync') fsync, current_setting('synchronous_commit') waits,
        current_setting('full_page_writes') pages, current_setting('data_checksums') checksums,
        current_setting('listen_addresses') listens`,
    );
    const durable = { fsync: 'on', waits: 'on', pages: 'on', checksums: 'on' };
    expect(settings).toEqual({ ...durable, listens: '127.0.0.1' });
    await opened.close();
  });

  test('fault 36: every acknowledged commit is there after the embedded PostgreSQL was ended without a checkpoint during writes', async () => {
    const cluster = await startEmbeddedCluster({ dataDirectory });
    const client = new pg.Client({ connectionString: cluster.urlOf('postgres') });
    client.on('error', () => {});
    await client.connect();
    await client.query('create table written (number int)');
    let acknowledged = 0;
    const writing = (async () => {
      for (;;) {
        await client.query('insert into written values ($1)', [acknowledged]);
        acknowledged += 1;
      }
    })().catch(() => {});
    await expect.poll(() => acknowledged).toBeGreaterThan(20);
    // As a power failure does: the processes end at once and write nothing more.
    process.kill(await postmasterOf(dataDirectory), 'SIGQUIT');
    await writing;
    const next = await startEmbeddedCluster({ dataDirectory });
    const { count } = await queryFirstRow(
      next.urlOf('postgres'),
      `select count(*)::int as count from written where number < ${acknowledged}`,
    );
    expect(count).toBe(acknowledged);
    await next.stop();
  });

  test('fault 36: a damaged page of the embedded database fails the statement instead of returning data', async () => {
    const cluster = await startEmbeddedCluster({ dataDirectory });
    const { file } = await queryFirstRow(
      cluster.urlOf('postgres'),
      `create table pages as select generate_series(1, 1000) as number; checkpoint;
       select pg_relation_filepath('pages') as file`,
    );
    await cluster.stop();
    const path = join(await clusterOf(dataDirectory), file);
    const content = readFileSync(path);
    content[4_000] = (content[4_000] ?? 0) ^ 1;
    writeFileSync(path, content);
    const damaged = await startEmbeddedCluster({ dataDirectory });
    const failure = await queryFirstRow(damaged.urlOf('postgres'), 'select sum(number) from pages').catch(
      (error: unknown) => error,
    );
    expect(failure).toMatchObject({ code: 'XX001' });
    expect(isDatabaseDamaged(failure)).toBe(true);
    await damaged.stop();
  });

  test('fault 35: a server starts its embedded PostgreSQL again after it ended, on the same port, and keeps its claim', async () => {
    const reports: string[] = [];
    const opened = await openDatabaseForServer({ ...options(), report: (message) => reports.push(message) });
    for (const signal of ['SIGQUIT', 'SIGKILL'] as const) {
      const before = await postmasterOf(dataDirectory);
      process.kill(before, signal);
      await expect
        .poll(() => queryFirstRow(opened.url, 'select 1 as ok').catch(() => null), { timeout: 60_000 })
        .toEqual({ ok: 1 });
      await expect.poll(() => reports.at(-1), { timeout: 60_000 }).toBe('the embedded PostgreSQL runs again');
      expect(await postmasterOf(dataDirectory)).not.toBe(before);
      reports.length = 0;
    }
    await expect(openDatabaseForServer(options())).rejects.toThrow('Keyturn is running');
    await opened.close();
    expect(existsSync(join(await clusterOf(dataDirectory), 'postmaster.pid'))).toBe(false);
  });

  test('fault 38: a second server on the data directory fails with the address of the first', async () => {
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

  test('the embedded database starts in spite of a stale pid file, without touching the process that has that id now', async () => {
    const first = await openDatabaseForServer(options());
    await first.close();
    const directory = await clusterOf(dataDirectory);
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
    const file = join(await clusterOf(dataDirectory), 'PG_VERSION');
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

  test('the server’s role cannot disable a trigger, or alter or forge the record', async () => {
    const opened = await openDatabaseForServer(options());
    expect(await codesOf(opened.url, forbidden)).toEqual(forbidden.map((sql) => [sql, '42501']));
    await opened.close();
  });

  test('the server’s role can do its work and use the job queue', async () => {
    const opened = await openDatabaseForServer(options());
    const allowed = [
      "update installation set firm = '{}'",
      "insert into maintenance (area) values ('general')",
      'delete from maintenance',
      "select pg_logical_emit_message(true, 'keyturn', '')",
      "select graphile_worker.add_job('any', '{}'::json)",
      'update graphile_worker._private_jobs set attempts = 1',
      'delete from graphile_worker._private_jobs',
      "select has_function_privilege('erase_case(bigint)', 'execute')",
    ];
    expect(await codesOf(opened.url, allowed)).toEqual(allowed.map((sql) => [sql, 'done']));
    await opened.close();
  });

  test('the start after an upgrade takes the rights of the cluster’s only role away from the server', async () => {
    await removeDataDirectory(dataDirectory);
    const before = await startEmbeddedCluster({ dataDirectory });
    await queryFirstRow(before.urlOf('postgres'), 'create database keyturn');
    await migrate(before.urlOf('keyturn'));
    await queryFirstRow(before.urlOf('keyturn'), "update installation set holds = 'real'");
    await before.stop();
    const opened = await openDatabaseForServer(options());
    expect(await queryFirstRow(opened.url, 'select current_user as role, holds from installation')).toEqual({
      role: 'keyturn_server',
      holds: 'real',
    });
    expect(await codesOf(opened.url, forbidden)).toEqual(forbidden.map((sql) => [sql, '42501']));
    await opened.close();
  });
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

  /** The address of a test database for another role, in two forms that the driver accepts. */
  const addressesOf: Record<string, (url: URL, role: string) => string> = {
    'its host before its name': ({ host, pathname }, role) =>
      `postgres://${role}:its%20own@${host}${pathname}`,
    'its host in the query': ({ hostname, port, pathname }, role) =>
      `postgres://${role}:its%20own@${pathname}?host=${hostname}&port=${port}`,
  };

  test.each(Object.keys(addressesOf))(
    'an external database with two roles, and an address with %s, is opened with the server’s role',
    async (form) => {
      const testDatabase = await createTestDatabase();
      const role = `server_${randomBytes(6).toString('hex')}`;
      await testDatabase.pool.query(`create role ${role} login password 'its own'`);
      const databaseUrl = addressesOf[form]?.(new URL(testDatabase.url), role) ?? '';
      const opened = await openDatabaseForServer({
        databaseUrl,
        databaseOwnerUrl: testDatabase.url,
        dataDirectory,
      });
      expect(await codesOf(opened.url, forbidden)).toEqual(forbidden.map((sql) => [sql, '42501']));
      await opened.close();
      // A server without the owner's password starts when there is nothing left to migrate.
      const again = await openDatabaseForServer({ databaseUrl, dataDirectory });
      expect(await queryFirstRow(again.url, 'select current_user as role')).toEqual({ role });
      await again.close();
      await testDatabase.pool.query(`drop owned by ${role}; drop role ${role}`);
      await testDatabase.drop();
    },
  );

  test('an unreachable external database fails with a message that does not contain the password', async () => {
    const unreachable = { databaseUrl: 'postgres://me:s3cret@127.0.0.1:1/none', dataDirectory };
    await expect(openDatabaseForServer(unreachable)).rejects.toThrow(
      /127\.0\.0\.1:1\/none cannot be reached .* check DATABASE_URL/,
    );
    await expect(openDatabaseForServer(unreachable)).rejects.not.toThrow(/s3cret/);
  });
});
