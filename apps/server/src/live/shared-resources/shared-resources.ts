import { hkdfSync } from 'node:crypto';
import { and, desc, isNotNull, sql } from 'drizzle-orm';
import type { Connection, Database } from '../../platform/database.ts';
import { newId } from '../../platform/ids.ts';
import type { TransactionOptions } from '../../platform/run-transaction.ts';
import { runTransaction } from '../../platform/run-transaction.ts';
import { StartFault } from '../../platform/start-fault.ts';
import type { FileStore } from '../../platform/stored-file.ts';
import { clientFactorTables, staffFactorTables } from '../../schema/tables/factor-tables.ts';
import { factorSecrets, type StaffKeys } from './factor-secrets.ts';

/** What a server or command uses besides the database, and must share with the servers of that database. */
export interface OwnResources {
  database: Database;
  files: Pick<FileStore, 'has' | 'readId' | 'writeId'>;
  /** Where the document store is, for messages. */
  storeName: string;
}

/** What the first server has recorded; null: not yet. */
interface Recorded extends Record<string, unknown> {
  storeId: string | null;
  keyHash: Buffer | null;
}

/**
 * Checks that a server uses the document store that the database expects. The first server gives the store an id, which
 * the database remembers.
 * @throws StartFault if the server must not start: clients would miss documents on some requests
 */
export async function shareDocumentStore(resources: OwnResources): Promise<void> {
  const { database, files } = resources;
  // In this order, because another server writes the id to the store before it commits.
  const { storeId } = await readRecorded(database);
  const found = await files.readId();
  if (storeId === null) {
    if (found === null) await rejectOtherDocuments(resources);
    const isRecorded = await recordStore(resources, found);
    // Another server may have been faster.
    return isRecorded ? undefined : shareDocumentStore(resources);
  }
  const problem = await findStoreProblem(resources, { storeId, found });
  if (problem !== null) throw new StartFault(problem);
  if (found === null) await files.writeId(storeId);
}

/**
 * Checks the document store of a command, and records nothing.
 * @throws StartFault if it is not the one that the database expects
 */
export async function checkDocumentStore(resources: OwnResources): Promise<void> {
  const { database, files } = resources;
  const { storeId } = await readRecorded(database);
  if (storeId === null) return;
  const problem = await findStoreProblem(resources, { storeId, found: await files.readId() });
  if (problem !== null) throw new StartFault(problem);
}

/**
 * Runs work that stores the documents of a backup. A store without an id becomes the one that the database expects.
 * @throws StartFault if the store is another one
 */
export async function whileRestoringStore<Result>(
  resources: OwnResources,
  work: () => Promise<Result>,
): Promise<Result> {
  const { database, files } = resources;
  const isNew = (await files.readId()) === null;
  if (!isNew) await checkDocumentStore(resources);
  const result = await work();
  const { storeId } = await readRecorded(database);
  if (isNew && storeId !== null) await files.writeId(storeId);
  return result;
}

/**
 * Checks that a server has the `KEYTURN_STAFF_KEY` of the others, or that it is being changed from that one. The first
 * server records a hash of it.
 * @throws StartFault if it has another one: codes of authenticator apps would only work on some requests
 */
export async function shareStaffKey(database: Database, keys: StaffKeys): Promise<void> {
  const { staffKey, formerStaffKey } = keys;
  if ((await readRecorded(database)).keyHash === null) await rejectUselessKey(database, keys);
  const own = await hashStaffKey(database, staffKey);
  await database.execute(
    sql`update shared_resources set staff_key_hash = ${own} where staff_key_hash is null`,
  );
  const { keyHash } = await readRecorded(database);
  if (keyHash?.equals(own)) return;
  if (formerStaffKey !== null && keyHash?.equals(await hashStaffKey(database, formerStaffKey))) return;
  throw new StartFault(
    `KEYTURN_STAFF_KEY ${staffKey === null ? 'is not set, but is' : 'is not the one'} on the servers that have used this database: set the same value. To change it, name the former one in KEYTURN_FORMER_STAFF_KEY. If the former one is lost, run "keyturn adopt staff-key" first.`,
  );
}

/** Makes this key the one that all servers must have. */
export async function recordStaffKey(connection: Connection, staffKey: string | null): Promise<void> {
  const hash = await hashStaffKey(connection, staffKey);
  await connection.execute(sql`update shared_resources set staff_key_hash = ${hash}`);
}

/** Hashes the key with the installation’s secret. */
async function hashStaffKey(connection: Connection, staffKey: string | null): Promise<Buffer> {
  const material = JSON.stringify([await readSecret(connection), staffKey ?? '']);
  return Buffer.from(hkdfSync('sha256', material, '', 'hash of KEYTURN_STAFF_KEY', 32));
}

async function readSecret(connection: Connection): Promise<string> {
  const { rows } = await connection.execute<{ secret: string }>(sql`select secret from installation`);
  if (!rows[0]) throw new Error('the installation table has no row');
  return rows[0].secret;
}

/** On the first start with this check, a key that decrypts nothing must not become the expected one. */
async function rejectUselessKey(database: Database, keys: StaffKeys): Promise<void> {
  const secret = await readSecret(database);
  const isOpened: boolean[] = [];
  for (const [accountKind, { factors }] of [
    ['staff', staffFactorTables],
    ['client', clientFactorTables],
  ] as const) {
    const secrets = factorSecrets(secret, keys, accountKind);
    const newest = await database
      .select({ id: factors.id, sealed: factors.secret })
      .from(factors)
      .where(and(isNotNull(factors.secret), isNotNull(factors.activeAt)))
      .orderBy(desc(factors.activeAt))
      .limit(20);
    for (const { id, sealed } of newest) isOpened.push(sealed !== null && secrets.open(sealed, id) !== null);
  }
  if (isOpened.length === 0 || isOpened.includes(true)) return;
  throw new StartFault(
    `KEYTURN_STAFF_KEY does not decrypt the authenticator apps in this database: set the value that the servers have used${keys.staffKey === null ? '' : ', or unset it if they had none'}. To change it, name the former one in KEYTURN_FORMER_STAFF_KEY. If the former one is lost, run "keyturn adopt staff-key"; codes of these apps then no longer work.`,
  );
}

/** Reads what the first server has recorded. */
export async function readRecorded(connection: Connection): Promise<Recorded> {
  // Commands that do not migrate may find a database without the table.
  const known = await connection.execute(
    sql`select where to_regclass('public.shared_resources') is not null`,
  );
  if (known.rows.length === 0) return { storeId: null, keyHash: null };
  const { rows } = await connection.execute<Recorded>(
    sql`select document_store_id as "storeId", staff_key_hash as "keyHash" from shared_resources`,
  );
  if (!rows[0]) throw new Error('the table shared_resources has no row');
  return rows[0];
}

/** Looks for the newest documents of the database in the store. */
export async function countNewestDocuments({
  database,
  files,
}: Pick<OwnResources, 'database' | 'files'>): Promise<{ count: number; found: number }> {
  const { rows } = await database.execute<{ sha256: string }>(
    sql`select distinct sha256 from (select sha256 from documents order by created_at desc limit 20) newest`,
  );
  const isFound = await Promise.all(rows.map(({ sha256 }) => files.has(sha256)));
  return { count: rows.length, found: isFound.filter(Boolean).length };
}

/** A store without an id is the expected one if it has the newest documents, for example because only those were moved. */
async function findStoreProblem(
  resources: OwnResources,
  { storeId, found }: { storeId: string; found: string | null },
): Promise<string | null> {
  if (found === storeId) return null;
  const advice = `Use the store of the other servers (${settings}). If the documents were moved to this one, run "keyturn adopt document-store".`;
  if (found !== null)
    return `The document store ${resources.storeName} is not the one of this database: its id is ${found}, and the database expects ${storeId}. ${advice}`;
  const newest = await countNewestDocuments(resources);
  if (newest.count > 0 && newest.found === newest.count) return null;
  return `The document store ${resources.storeName} is not the one of this database: it has no id, the database expects ${storeId}, and ${describeFound(newest)}. ${advice}`;
}

/** On the first start with this check, an empty store must not become the expected one. */
async function rejectOtherDocuments(resources: OwnResources): Promise<void> {
  const newest = await countNewestDocuments(resources);
  if (newest.count === 0 || newest.found > 0) return;
  throw new StartFault(
    `The document store ${resources.storeName} is not the one of this database: ${describeFound(newest)}. Use the store with the documents (${settings}). If they are lost, run "keyturn adopt document-store".`,
  );
}

const settings = 'KEYTURN_DATA_DIR, or the settings KEYTURN_S3_…';

const describeFound = ({ count, found }: { count: number; found: number }): string =>
  count === 0
    ? 'the database has no documents'
    : `it contains ${found} of the ${count} newest documents of the database`;

/**
 * The row is locked until the id is in the store: of two servers that wrote an id each, the second would replace the one
 * that the first has recorded.
 * @returns false if another server has recorded a store meanwhile
 */
const recordStore = ({ database, files }: OwnResources, found: string | null): Promise<boolean> => {
  // A slow store may need longer than other transactions may take.
  const options: TransactionOptions = { statementTimeout: maxWriteTime };
  return runTransaction(
    database,
    async (transaction) => {
      await transaction.execute(
        sql`select set_config(name, ${String(maxWriteTime)}, true)
        from unnest(array['lock_timeout', 'idle_in_transaction_session_timeout']) name`,
      );
      const id = found ?? newId();
      const { rowCount } = await transaction.execute(
        sql`update shared_resources set document_store_id = ${id}::uuid where document_store_id is null`,
      );
      if (rowCount === 0) return false;
      // Before the commit: without its id, the store would be refused.
      if (found === null) await files.writeId(id);
      return true;
    },
    options,
  );
};

/** Milliseconds: more than all attempts to store the id and to read it back take, for a few servers one after another. */
const maxWriteTime = 120_000;

/** Lets servers start with another document store, because a restore has put the documents there. */
export const forgetDocumentStore = (connection: Connection) =>
  connection.execute(sql`update shared_resources set document_store_id = null`);
