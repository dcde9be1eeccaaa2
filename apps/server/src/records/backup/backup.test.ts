import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  anyPdf,
  buildCase,
  buildFirm,
  buildPayment,
  buildStoredDocument,
  createBareDatabase,
  createTestBackups,
  createTestDatabase,
  createTestFiles,
  type TestDatabase,
} from '@keyturn/testkit';
import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createAgeDecryption, createAgeEncryption } from '../../adapters/encryption/age.ts';
import { createBackupFolder } from '../../adapters/files/backup-folder.ts';
import { openSnapshot, tablesOfStoredFiles } from '../../adapters/postgres/backup/open-snapshot.ts';
import { createRestoreTarget, knownSchema } from '../../adapters/postgres/backup/restore-target.ts';
import { connectDatabase } from '../../adapters/postgres/connect.ts';
import { afterRestore, afterRestoreWithFiles } from '../../composition/after-restore.ts';
import { recordAudit } from '../../platform/audit/record-audit.ts';
import { FileStoreUnavailable } from '../../platform/stored-file.ts';
import { verifyAudit } from '../audit/verify-audit.ts';
import { runAfterRecovery } from './after-recovery-command.ts';
import { runBackup } from './backup-command.ts';
import { createDocumentList } from './document-list.ts';
import { finishRestores } from './finish-restore.ts';
import type { AfterRestoreWithFiles } from './ports.ts';
import { runRestoreDocuments } from './restore-command.ts';

const files = createTestFiles();
let source: TestDatabase & { files: typeof files };
let built: Awaited<ReturnType<typeof buildCase>>;
let documents: { id: string; sha256: string; size: number }[];
const cleanUp: (() => unknown)[] = [];

beforeAll(async () => {
  source = { ...(await createTestDatabase()), files };
  const { database } = source;
  await buildFirm(database);
  built = await buildCase(database, {
    clients: [{ firstName: 'Amelia' }, { lastName: "O'Connor\tand \\N" }],
  });
  documents = [];
  for (let index = 0; index < 3; index += 1)
    documents.push(await buildStoredDocument(database, files, { matterId: built.matterId }));
  await buildPayment(database, { caseId: built.id, clientId: built.clientId, status: 'succeeded' });
  await source.pool.query(
    `insert into sessions (token_hash, client_id, expires_at) values (sha256('a'), $1, now() + interval '1 day')`,
    [built.clientId],
  );
  await source.pool.query(
    `insert into known_devices (token_hash, client_id, created_at, last_used_at) values (sha256('a'), $1, now(), now())`,
    [built.clientId],
  );
  await source.pool.query(
    "update shared_resources set document_store_id = gen_random_uuid(), staff_key_hash = sha256('a')",
  );
  await source.pool.query("insert into build_files values ('/assets/x.js', 'x', false, now())");
  await source.pool.query('select graphile_worker.add_job(\'send-password-link\', \'{"email":"x"}\')');
  for (const id of built.clientIds)
    await recordAudit(database, {
      occurredAt: new Date(),
      actor: { kind: 'system', id: null, name: 'Keyturn' },
      action: 'client.invited',
      subject: { kind: 'client', id },
    });
});
afterEach(async () => {
  for (const clean of cleanUp.splice(0).reverse()) await clean();
});
afterAll(async () => {
  await source.drop();
  files.drop();
});

function backups() {
  const made = createTestBackups();
  cleanUp.push(made.drop);
  return made;
}

/** Creates an empty, migrated database without connections, and an empty store. */
async function emptyPlace() {
  const empty = await createTestDatabase();
  const own = createTestFiles();
  cleanUp.push(empty.drop, own.drop);
  await empty.close();
  return { url: empty.url, files: own };
}

type Query = (text: string, values?: unknown[]) => Promise<ReturnType<typeof JSON.parse>[]>;

async function withConnection<Result>(url: string, work: (query: Query) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(async (text, values) => (await client.query(text, values)).rows);
  } finally {
    await client.end();
  }
}
const query = (url: string, text: string, values: unknown[] = []) =>
  withConnection(url, (run) => run(text, values));

/** Reads a checksum of the rows of every table, independently of the backup. */
const rowsOf = (url: string, except: string[]) =>
  withConnection(url, async (run) => {
    const found: Record<string, string> = {};
    const tables = await run(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables
       where schemaname in ('public', 'graphile_worker') and tablename <> all($1) order by 1`,
      [except],
    );
    for (const { name } of tables) {
      const [row] = await run(
        `select count(*) || ' ' || coalesce(md5(string_agg(t::text, chr(10) order by t::text)), '') as rows from ${name} t`,
      );
      found[name] = row.rows;
    }
    return found;
  });

const schemaOf = (url: string) =>
  query(
    url,
    `select conrelid::regclass::text || ' ' || conname || ' ' || pg_get_constraintdef(oid) as object from pg_constraint
       where connamespace = 'public'::regnamespace
     union all select tgrelid::regclass::text || ' ' || tgname || ' ' || tgenabled::text from pg_trigger where not tgisinternal
     union all select relname || ' ' || relrowsecurity from pg_class where relkind = 'r' order by 1`,
  );

const sequencesOf = (url: string) =>
  query(url, 'select schemaname, sequencename, last_value from pg_sequences order by 1, 2');

/** What a restore changes on purpose, and what no backup contains. */
const changed = [
  'audit_entries',
  'audit_links',
  'broadcast_events',
  'build_files',
  'known_devices',
  'migrations',
  'oversized_messages',
  'payment_continuity',
  'request_counts',
  'sessions',
  'shared_resources',
];

test('a backup is restored with every row, sequence, foreign key, trigger and document, into an empty or a new database', async () => {
  const { backUp, restore } = backups();
  const { name, rows, documents: saved, takenAt } = await backUp(source);
  expect(rows).toBeGreaterThan(80);
  expect(saved).toMatchObject({ count: 3, added: 3 });
  const bare = await createBareDatabase();
  const own = createTestFiles();
  cleanUp.push(bare.drop, own.drop);
  const [expectedRows, schema] = [await rowsOf(source.url, changed), await schemaOf(source.url)];

  for (const target of [await emptyPlace(), { url: bare.url, files: own }]) {
    await restore(name, target);
    expect(await rowsOf(target.url, changed)).toEqual(expectedRows);
    expect(await schemaOf(target.url)).toEqual(schema);
    expect(await sequencesOf(target.url)).toEqual(await sequencesOf(source.url));
    for (const { sha256, size } of documents)
      expect(await target.files.measure(sha256, size + 1)).toEqual({ sha256, size });
  }

  // Payments are paused, all access has ended, the store is a new one, and the audit log continues.
  const restored = connectDatabase({ url: bare.url, size: 2 });
  cleanUp.push(restored.close);
  const all = async (text: string) => (await restored.pool.query(text)).rows;
  expect(await all('select closed_at is not null as closed, closed_reason from payment_continuity')).toEqual([
    { closed: true, closed_reason: `a backup of ${takenAt.toISOString()} was restored` },
  ]);
  expect(await all('select path from build_files')).toEqual([]);
  expect(await all('select revoked_at is not null as ended from sessions')).toEqual([{ ended: true }]);
  expect(await all('select from known_devices')).toEqual([]);
  expect(
    await all('select document_store_id as store, staff_key_hash is not null as key from shared_resources'),
  ).toEqual([{ store: null, key: true }]);
  expect(await all('select from unfinished_restores')).toEqual([]);
  expect(
    await all('select action from audit_entries join audit_links on entry_id = id order by position'),
  ).toEqual([
    { action: 'client.invited' },
    { action: 'client.invited' },
    { action: 'installation.restored' },
  ]);
  expect(await verifyAudit(restored.database)).toMatchObject({ isIntact: true, head: { position: 3 } });
  await expect(restored.pool.query('delete from payments')).rejects.toThrow();
  await expect(restored.pool.query('delete from conveyancing_cases')).rejects.toThrow('violates');
});

test('a backup is restored into tables with free space between their rows, as a failed restore leaves them', async () => {
  const { backUp, restore } = backups();
  const { name } = await backUp(source);
  const place = await emptyPlace();
  // The rows move to the end of the table, and PostgreSQL fills the page after the first one before the first one.
  await query(place.url, 'update schema_migrations set name = name');
  await query(place.url, 'vacuum schema_migrations');
  await query(
    place.url,
    "insert into schema_migrations (number, name, checksum, oldest_build) values (1000, '', '', 0)",
  );
  await query(place.url, 'delete from schema_migrations where number = 1000');
  await restore(name, place);
  expect(await rowsOf(place.url, changed)).toEqual(await rowsOf(source.url, changed));
});

test('a backup contains one moment, whatever is written meanwhile', async () => {
  const { backUp, restore } = backups();
  const { name } = await backUp(source, {
    openSnapshot: async () => {
      const snapshot = await openSnapshot(source.url);
      await buildCase(source.database);
      return snapshot;
    },
  });
  const { contents } = await restore(name, null);
  const counted = Object.fromEntries(contents.tables.map((table) => [table.name, table.rows]));
  expect(counted).toMatchObject({ 'public.conveyancing_cases': 1, 'public.clients': 2, 'public.matters': 1 });
});

test('a second backup copies only documents that the first one lacks, and an interrupted restore can be repeated', async () => {
  const { backUp, restore } = backups();
  let now = Date.parse('2026-11-23T18:15:00Z');
  const clock = () => new Date(now);
  const first = await backUp(source, { clock });
  expect(first.name).toBe('2026-11-23T181500Z');
  const { sha256 } = await buildStoredDocument(source.database, files, { matterId: built.matterId });
  await expect(backUp(source, { clock })).rejects.toThrow('backups are never overwritten');
  now += 60_000;
  const second = await backUp(source, { clock });
  expect(second.documents).toMatchObject({ count: 4, added: 1 });
  const place = await emptyPlace();
  // As an interrupted restore leaves it.
  await place.files.put((await files.read(documents[0]?.sha256 ?? '', 1_000_000)) as Buffer);
  await restore(second.name, place);
  expect(await place.files.has(sha256)).toBe(true);
  await source.pool.query('delete from documents where sha256 = $1', [sha256]);
});

test('an encrypted backup is restored only with its secret key, and its folder names no document', async () => {
  const { backUp, restore, folder } = backups();
  const [own, other] = [await generateX25519Identity(), await generateX25519Identity()];
  const keyFile = (identity: string) => {
    const file = join(folder, `key-${identity.slice(-6)}`);
    writeFileSync(file, `# created: today\n${identity}\n`);
    return createAgeDecryption(file);
  };
  const { name } = await backUp(source, {
    encryption: createAgeEncryption([await identityToRecipient(own)]),
  });
  const stored = readdirSync(folder, { recursive: true }).map(String);
  for (const { sha256 } of documents) expect(stored.join('\n')).not.toContain(sha256.slice(2));
  for (const file of stored.filter((path) => path.endsWith('.age')))
    expect(readFileSync(join(folder, file)).subarray(0, 21).toString()).toBe('age-encryption.org/v1');
  expect(readFileSync(join(folder, name, 'manifest.json'), 'utf8')).not.toContain('clients');

  await expect(restore(name, null)).rejects.toThrow(
    'This backup is encrypted: give the file with the secret key',
  );
  await expect(restore(name, null, { decryption: await keyFile(other) })).rejects.toThrow(
    'encrypted for another one',
  );
  await restore(name, null, { decryption: await keyFile(own) });
  // Documents of an encrypted backup are recognised again.
  const again = await backUp(source, {
    encryption: createAgeEncryption([await identityToRecipient(own)]),
    clock: () => new Date(Date.now() + 60_000),
  });
  expect(again.documents).toMatchObject({ count: 3, added: 0 });
  // With another key, they are copied again, so that it decrypts the whole backup.
  const changed = await backUp(source, {
    encryption: createAgeEncryption([await identityToRecipient(other)]),
    clock: () => new Date(Date.now() + 120_000),
  });
  expect(changed.documents).toMatchObject({ count: 3, added: 3 });
  await restore(changed.name, null, { decryption: await keyFile(other) });
});

test('a backup is rejected before anything is written if a file of it is missing, cut off or altered', async () => {
  const { backUp, restore, folder } = backups();
  const { name, manifestSha256 } = await backUp(source);
  const place = await emptyPlace();
  const [first] = documents;
  const pathOf = {
    table: join(folder, name, 'tables', 'public.clients.copy.gz'),
    list: join(folder, name, 'documents.txt.gz'),
    contents: join(folder, name, 'contents.json'),
    document: join(folder, 'documents', `${first?.sha256.slice(0, 2)}`, `${first?.sha256.slice(2)}`),
  };
  const messages = {
    table: /public\.clients\.copy\.gz of the backup was altered or cut off/,
    list: /documents\.txt\.gz of the backup was altered/,
    contents: /contents\.json of the backup was altered/,
    document: /is missing or damaged/,
  };
  const damages: ((content: Buffer) => Buffer | null)[] = [
    (content) => content.subarray(0, content.length - 1),
    (content) => {
      const copy = Buffer.from(content);
      copy[Math.floor(copy.length / 2)] = (copy[Math.floor(copy.length / 2)] ?? 0) ^ 1;
      return copy;
    },
    () => null,
  ];
  for (const part of Object.keys(pathOf) as (keyof typeof pathOf)[]) {
    const original = readFileSync(pathOf[part]);
    for (const damage of damages) {
      const content = damage(original);
      if (content) writeFileSync(pathOf[part], content);
      else rmSync(pathOf[part]);
      await expect(restore(name, place)).rejects.toThrow(messages[part]);
    }
    writeFileSync(pathOf[part], original);
  }
  expect(await query(place.url, 'select from conveyancing_cases')).toEqual([]);
  for await (const sha256 of place.files.list()) expect(sha256).toBeUndefined();
  await expect(restore(name, null, { expected: 'f'.repeat(64) })).rejects.toThrow('not the expected backup');
  await restore(name, null, { expected: manifestSha256 });
});

test('fault 74: with --without-damaged, everything but damaged documents is restored, and each is named and audited', async () => {
  const { backUp, restore, folder } = backups();
  const { name } = await backUp(source);
  const [first] = documents;
  const sha256 = first?.sha256 ?? '';
  rmSync(join(folder, 'documents', sha256.slice(0, 2), sha256.slice(2)));
  await expect(restore(name, null)).rejects.toThrow('everything else with --without-damaged');
  const place = await emptyPlace();
  const { damaged, lost } = await restore(name, place, { withoutDamaged: true });
  expect(damaged).toEqual([sha256]);
  expect(lost).toMatchObject([{ sha256, id: first?.id, name: expect.any(String), case: expect.any(String) }]);
  expect(await Promise.all(documents.map((document) => place.files.has(document.sha256)))).toEqual([
    false,
    true,
    true,
  ]);
  expect(
    await query(
      place.url,
      "select subject_id as id, after from audit_entries where action = 'document.file_lost'",
    ),
  ).toEqual([{ id: first?.id, after: { sha256 } }]);
});

test('fault 74: what a restore could not do after its commit, because it was interrupted, is done by the next start', async () => {
  const { backUp, restore, folder } = backups();
  const clock = (time: string) => ({ clock: () => new Date(time) });
  const { name } = await backUp(source, clock('2026-11-20T01:00:00Z'));
  const later = await backUp(source, clock('2026-11-21T01:00:00Z'));
  const path = join(folder, later.name, 'manifest.json');
  const erased = [{ kind: 'client', id: built.clientIds[1] }];
  writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, 'utf8')), erased }));
  const place = await emptyPlace();
  const target = {
    ...createRestoreTarget(place.url),
    upgrade: () => Promise.reject(new Error('interrupted')),
  };
  await expect(restore(name, place, { target })).rejects.toThrow('interrupted');
  const brought = "select id from clients where last_name like 'O''Connor%'";
  expect(await query(place.url, brought)).toHaveLength(1);

  const started = connectDatabase({ url: place.url, size: 2 });
  cleanUp.push(started.close);
  const after = afterRestore(() => new Date());
  expect(await finishRestores(after, started.database)).toEqual(erased);
  expect(await query(place.url, brought)).toEqual([]);
  expect(await finishRestores(after, started.database)).toEqual([]);
});

test('fault 74: keyturn after-recovery ends all access, pauses payments and erases again what backups list as erased', async () => {
  const { backUp, folder } = backups();
  const { name } = await backUp(source);
  const recovered = await createTestDatabase();
  cleanUp.push(recovered.drop);
  const { pool } = recovered;
  const { clientId } = await buildCase(recovered.database);
  const { clientId: erasedId } = await buildCase(recovered.database);
  const path = join(folder, name, 'manifest.json');
  const manifest = JSON.parse(readFileSync(path, 'utf8'));
  const run = (to: string | null, changes: Partial<AfterRestoreWithFiles> = {}) => {
    const lines: string[] = [];
    const after = { ...afterRestoreWithFiles(files, () => new Date()), ...changes };
    const backupFolder = to === null ? null : createBackupFolder(to);
    return runAfterRecovery({ ...after, database: recovered.database, folder: backupFolder }, (line) =>
      lines.push(line),
    ).then(() => lines.join('\n'));
  };
  await expect(run(folder)).rejects.toThrow('contains no backups of this installation');
  const { rows } = await pool.query('select installation_id as id from installation');
  const erased = [{ kind: 'client', id: erasedId }];
  writeFileSync(path, JSON.stringify({ ...manifest, installationId: rows[0].id, erased }));
  await pool.query(
    `insert into sessions (token_hash, client_id, expires_at) values (sha256('a'), $1, now() + interval '1 day')`,
    [clientId],
  );
  await pool.query(
    `insert into client_recovery_codes (code_hash, client_id, created_at, used_at)
     values (sha256('a'), $1, now(), null), (sha256('b'), $1, now(), now())`,
    [clientId],
  );
  expect(await run(folder)).toContain(`Erased again: client ${erasedId}`);
  const all = async (text: string) => (await pool.query(text)).rows;
  expect(await all('select id from clients')).toEqual([{ id: clientId }]);
  expect(await all('select from sessions where revoked_at is null')).toEqual([]);
  expect(
    await all(
      'select used_at is not null as used, disabled_at is not null as disabled from client_recovery_codes order by 2',
    ),
  ).toEqual([
    { used: true, disabled: false },
    { used: true, disabled: true },
  ]);
  expect(
    await all(`select payload ->> 'clientId' as id, payload -> 'notice' ->> 'kind' as kind
      from graphile_worker._private_jobs where payload ->> 'clientId' is not null`),
  ).toEqual([{ id: clientId, kind: 'recovery_codes_disabled' }]);
  expect(await all('select closed_reason as reason from payment_continuity')).toEqual([
    { reason: 'the database was recovered to an earlier moment' },
  ]);
  expect(await all("select from audit_entries where action = 'installation.recovered'")).toHaveLength(1);
  const undeletable = () => Promise.reject(new FileStoreUnavailable('The document store refuses to delete'));
  const printed = await run(null, { removeErasedFiles: undeletable });
  expect(printed).toContain('servers try again every hour. The document store refuses to delete.');
  expect(printed).toContain('No folder of backups was given');
  expect(await all('select from unfinished_restores')).toEqual([]);
});

test('a file that is erased while a backup is made does not count as damaged, and the backup can be restored', async () => {
  const { backUp, restore } = backups();
  const { id, sha256 } = await buildStoredDocument(source.database, files, { matterId: built.matterId });
  const { name, damaged, removed } = await backUp(source, {
    openSnapshot: async () => {
      const snapshot = await openSnapshot(source.url);
      return {
        ...snapshot,
        close: async () => {
          await snapshot.close();
          await source.pool.query('delete from documents where id = $1', [id]);
          await files.remove(sha256);
        },
      };
    },
  });
  expect({ damaged, removed }).toEqual({ damaged: [], removed: [sha256] });
  expect((await restore(name, null)).damaged).toEqual([]);
});

test('a backup that fails leaves nothing behind, and one that was killed is recognised as incomplete', async () => {
  const { backUp, restore, folder } = backups();
  const { name } = await backUp(source);
  const broken = {
    ...files,
    open: () => {
      throw new Error('the disk failed');
    },
  };
  const { sha256 } = await buildStoredDocument(source.database, files, { matterId: built.matterId });
  const clock = () => new Date(Date.now() + 120_000);
  await expect(backUp(source, { files: broken, clock })).rejects.toThrow('the disk failed');
  expect(readdirSync(folder).sort()).toEqual([name, 'documents'].sort());
  const killed = '2026-01-01T000000Z.incomplete';
  mkdirSync(join(folder, killed));
  await expect(restore(killed, null)).rejects.toThrow('is incomplete: the backup was interrupted');
  await expect(restore('none', null)).rejects.toThrow('does not exist');
  await restore(name, null);
  await source.pool.query('delete from documents where sha256 = $1', [sha256]);
});

test('a document that is missing in the store is named by the backup and by its restore', async () => {
  const { backUp, restore } = backups();
  const { sha256 } = await buildStoredDocument(source.database, files, { matterId: built.matterId });
  await files.lose(sha256);
  const { name, damaged } = await backUp(source);
  expect(damaged).toEqual([sha256]);
  const { contents } = await restore(name, null);
  expect(contents.documents.damaged).toEqual([sha256]);
  await source.pool.query('delete from documents where sha256 = $1', [sha256]);
});

test('a backup of a newer Keyturn, of another build or of another program is rejected', async () => {
  const { backUp, restore, folder } = backups();
  const { name } = await backUp(source);
  const older = { ...knownSchema, newestMigration: 0 };
  await expect(restore(name, null, { schema: older })).rejects.toThrow(
    'restore it with that version or a newer',
  );
  const other = { ...knownSchema, checksumUpTo: () => 'f'.repeat(64) };
  await expect(restore(name, null, { schema: other })).rejects.toThrow('migrations differ from this build’s');
  const path = join(folder, name, 'manifest.json');
  const manifest = JSON.parse(readFileSync(path, 'utf8'));
  for (const [content, message] of [
    [{ ...manifest, format: 'keyturn-backup/2' }, 'restore it with a newer Keyturn'],
    [{ ...manifest, takenAt: '../..' }, 'is not the manifest of a Keyturn backup'],
    [{ dump: true }, 'is not the manifest of a Keyturn backup'],
  ] as const) {
    writeFileSync(path, JSON.stringify(content));
    await expect(restore(name, null)).rejects.toThrow(message);
  }
  renameSync(path, join(folder, name, 'other.json'));
  await expect(restore(name, null)).rejects.toThrow('is incomplete');
});

test('a backup is not restored over data, next to other documents or while a server is connected', async () => {
  const { backUp, restore } = backups();
  const { name } = await backUp(source);
  await expect(restore(name, { url: source.url, files: createTestFiles() })).rejects.toThrow(
    'A server or command uses this database',
  );
  const used = await createTestDatabase();
  cleanUp.push(used.drop);
  await buildCase(used.database);
  await used.close();
  const place = await emptyPlace();
  await expect(restore(name, { ...place, url: used.url })).rejects.toThrow('data of a Keyturn installation');
  const foreign = await createBareDatabase();
  cleanUp.push(foreign.drop);
  await query(foreign.url, 'create table invoices (id int)');
  await expect(restore(name, { ...place, url: foreign.url })).rejects.toThrow('tables of another program');
  await place.files.put(Buffer.from('a document of someone else'));
  await expect(restore(name, place)).rejects.toThrow('already contains files that are not in this backup');
});

test('every table with the SHA-256 of a stored file belongs to the backup’s list of documents', async () => {
  const found = await query(
    source.url,
    `select table_name as name from information_schema.columns
     where table_schema = 'public' and column_name = 'sha256'
       and table_name not in ('document_signatures', 'erased_files', 'file_reservations', 'unused_files') order by 1`,
  );
  expect(found.map(({ name }) => name)).toEqual([...tablesOfStoredFiles].sort());
});

test('keyturn backup records when the last complete backup was taken, and works in a database without the table for it', async () => {
  const { folder } = backups();
  const printed: string[] = [];
  const run = (at: string) =>
    runBackup(
      {
        database: source.database,
        openSnapshot: () => openSnapshot(source.url),
        findRecordedFiles: async () => new Set(),
        files,
        folder: createBackupFolder(folder),
        encryption: null,
        clock: () => new Date(at),
        version: '0.2.0',
      },
      (line) => printed.push(line),
    );
  await source.pool.query('alter table completed_operations rename to not_yet');
  expect(await run('2026-11-23T18:15:00Z')).toBe(0);
  await source.pool.query('alter table not_yet rename to completed_operations');
  expect(await run('2026-11-24T18:15:00Z')).toBe(0);
  const { rows } = await source.pool.query('select operation, completed_at from completed_operations');
  const times = rows.map(({ completed_at }) => `Backup of ${completed_at.toISOString()} in`);
  expect(times).toEqual([expect.any(String)]);
  expect(printed.filter((line) => line.startsWith('Backup of')).at(-1)).toContain(times[0]);
});

test('the list of documents reads lines that are split anywhere', async () => {
  const lines = Array.from(
    { length: 5_000 },
    (_, index) => `${index.toString(16).padStart(64, '0')}\t${index}\n`,
  );
  const text = lines.join('');
  const list = createDocumentList();
  const chunks = (async function* () {
    for (let at = 0; at < text.length; at += 9_973) yield Buffer.from(text.slice(at, at + 9_973));
  })();
  for await (const _ of list.step(chunks));
  expect(list.count()).toBe(5_000);
  expect([...list].map(({ sha256, size }) => `${sha256}\t${size}\n`).join('')).toBe(text);
});

test('restore --documents-only stores the documents again, next to others and without erased ones, and reports no damaged one that the store has', async () => {
  const { backUp, folder } = backups();
  const { name } = await backUp(source);
  const store = createTestFiles();
  cleanUp.push(store.drop);
  const other = await store.put(anyPdf());
  const [erased, damaged, ...kept] = documents;
  if (!erased || !damaged) throw new Error('the backup has no documents');
  rmSync(join(folder, 'documents', damaged.sha256.slice(0, 2), damaged.sha256.slice(2)));
  await store.put((await files.read(damaged.sha256, 1_000_000)) as Buffer);
  const lines: string[] = [];
  const before = await rowsOf(source.url, []);
  const code = await runRestoreDocuments(
    {
      folder: createBackupFolder(folder),
      decryption: null,
      files: store,
      database: source.database,
      clock: () => new Date(),
      findErasedFiles: async () => new Set([erased.sha256]),
    },
    { name, expected: null, withoutDamaged: true },
    (line) => lines.push(line),
  );
  expect([code, lines.at(-1)]).toEqual([0, 'Documents: 3']);
  for (const { sha256, size } of kept)
    expect(await store.measure(sha256, size + 1)).toEqual({ sha256, size });
  expect(await store.has(erased.sha256)).toBe(false);
  expect(await store.has(other)).toBe(true);
  expect(await rowsOf(source.url, [])).toEqual(before);
});
