import { forgetDocumentStore } from '../../live/shared-resources/shared-resources.ts';
import type { Database } from '../../platform/database.ts';
import { forEach } from '../../platform/files/for-each.ts';
import type { FileStore } from '../../platform/stored-file.ts';
import type { DocumentList, ListedDocument } from './document-list.ts';
import { endAccessAndPausePayments, recordRestore, releaseWork } from './end-access.ts';
import { type FinishedRestore, finishRestoresWithFiles, recordUnfinished } from './finish-restore.ts';
import { findLaterErasures } from './later-erasures.ts';
import { type LostFile, recordLostFiles } from './lost-files.ts';
import type { BackupContents } from './manifest.ts';
import { drain, type OpenBackupDependencies, type OpenedBackup, openBackup } from './open-backup.ts';
import {
  type AfterRestoreWithFiles,
  BackupFault,
  DamagedDocument,
  type DatabaseLoad,
  type KnownSchema,
  type RestoreTarget,
} from './ports.ts';
import { measureContent, through } from './steps.ts';

export interface RestoreDependencies extends OpenBackupDependencies, AfterRestoreWithFiles {
  schema: KnownSchema;
  /** Null: the backup is only verified. */
  target: RestoreTarget | null;
  files: Pick<FileStore, 'put' | 'has' | 'list'>;
  /** Called before each part of the work, for progress. */
  onStep?: ((step: RestoreStep) => void) | undefined;
}

export type RestoreStep = 'verify' | 'documents' | 'database';

export interface RestoreOptions {
  /** The name of the backup's folder. */
  name: string;
  /** The SHA-256 of the manifest that the backup printed; null to accept any. */
  expected: string | null;
  /** Whether to leave out documents that are damaged in the backup, instead of failing. */
  withoutDamaged: boolean;
}

/** What was restored, and what was erased again because a later backup in the folder lists it as erased. */
export interface RestoredBackup extends OpenedBackup, FinishedRestore {
  /** The SHA-256 of documents that are damaged in the backup. */
  damaged: string[];
  /** The SHA-256 of documents that were missing or damaged when the backup was made. */
  missing: string[];
  /** The records of the documents in `damaged` and `missing`; empty for a dry run. */
  lost: LostFile[];
}

/**
 * Restores a backup into an empty database and an empty document store. Everything in it is verified before anything
 * is written, and the database is committed only once it contains exactly the rows of the backup.
 * @throws BackupFault for a damaged, unknown or newer backup, and for a place that is not empty
 */
export async function restoreBackup(
  dependencies: RestoreDependencies,
  { name, expected, withoutDamaged }: RestoreOptions,
): Promise<RestoredBackup> {
  const { target, onStep } = dependencies;
  const backup = await openBackup(dependencies, name, expected);
  checkVersion(backup, dependencies.schema);
  await target?.checkEmpty(backup.manifest.schema.migration);
  onStep?.('verify');
  const documents = await backup.readDocuments();
  if (target) await checkOwnFiles(dependencies.files, documents);
  const damaged = await verifyAll(backup, documents, withoutDamaged);
  const restored = { ...backup, damaged, missing: backup.contents.documents.damaged };
  if (!target) return { ...restored, erasedAgain: [], fileProblem: null, lost: [] };
  onStep?.('documents');
  await restoreDocuments(dependencies, backup, { documents, leftOut: new Set(damaged), withoutDamaged });
  onStep?.('database');
  return { ...restored, ...(await restoreDatabase(dependencies, target, restored)) };
}

async function restoreDatabase(
  dependencies: RestoreDependencies,
  target: RestoreTarget,
  { damaged, missing, ...backup }: Omit<RestoredBackup, keyof FinishedRestore | 'lost'>,
): Promise<FinishedRestore & Pick<RestoredBackup, 'lost'>> {
  const { manifest, contents } = backup;
  const later = await findLaterErasures(dependencies.folder, manifest);
  const at = dependencies.clock();
  let isRecorded = false;
  await target.load(manifest.schema.migration, {
    fill: async (load) => {
      await fillTables(load, backup);
      await load.setSequences(contents.sequences);
      await endAccessAndPausePayments(load.connection, {
        at,
        reason: `a backup of ${manifest.takenAt} was restored`,
      });
      await releaseWork(load.connection);
    },
    finish: async (connection) => {
      await recordRestore(connection, { at, manifest });
      isRecorded = await recordUnfinished(connection, later);
    },
  });
  await target.upgrade();
  return target.finish(async (database) => {
    // The documents are in another store than when the backup was made.
    await forgetDocumentStore(database);
    if (!isRecorded) await recordUnfinished(database, later);
    const finished = await finishRestoresWithFiles(dependencies, database);
    const lost = await recordLostFiles(database, [...damaged, ...missing], at);
    return { ...finished, lost };
  });
}

export interface RestoreDocumentsDependencies
  extends OpenBackupDependencies,
    Pick<RestoreDependencies, 'files' | 'clock'> {
  database: Database;
  /** @returns the SHA-256 of files that erasures have removed */
  findErasedFiles(): Promise<ReadonlySet<string>>;
}

/**
 * Stores the documents of a backup again, next to those that the store has, and leaves the database alone, except for
 * audit entries about lost documents. Each one is verified before it is stored; those that an erasure has removed are left
 * out.
 * @throws BackupFault for a damaged or unknown backup
 */
export async function restoreDocumentsOnly(
  dependencies: RestoreDocumentsDependencies,
  { name, expected, withoutDamaged }: RestoreOptions,
): Promise<Omit<RestoredBackup, keyof FinishedRestore>> {
  const { database, clock, files } = dependencies;
  const backup = await openBackup(dependencies, name, expected);
  const erased = await dependencies.findErasedFiles();
  const found = await restoreDocuments(dependencies, backup, {
    documents: await backup.readDocuments(),
    leftOut: erased,
    withoutDamaged,
  });
  // The store may have what the backup lacks.
  const withoutStored = async (sha256s: readonly string[]) => {
    const isStored = await Promise.all(sha256s.map((sha256) => files.has(sha256)));
    return sha256s.filter((sha256, index) => !isStored[index] && !erased.has(sha256));
  };
  const damaged = await withoutStored(found);
  const missing = await withoutStored(backup.contents.documents.damaged);
  const lost = await recordLostFiles(database, [...damaged, ...missing], clock());
  return { ...backup, damaged, missing, lost };
}

function checkVersion({ manifest }: OpenedBackup, schema: KnownSchema): void {
  const { migration, checksum } = manifest.schema;
  if (migration > schema.newestMigration)
    throw new BackupFault(
      `Keyturn ${manifest.keyturn} made this backup, with migration ${migration}; the latest of this build is ${schema.newestMigration}: restore it with that version or a newer one.`,
    );
  if (schema.checksumUpTo(migration) !== checksum)
    throw new BackupFault(
      `Another build of Keyturn ${manifest.keyturn} made this backup, and its migrations differ from this build’s: restore it with that build.`,
    );
}

/** @throws BackupFault if the store contains files that the backup does not; an interrupted restore leaves some that it does */
async function checkOwnFiles(files: Pick<FileStore, 'list'>, documents: DocumentList): Promise<void> {
  let known: Set<string> | undefined;
  for await (const sha256 of files.list()) {
    known ??= new Set([...documents].map((document) => document.sha256));
    if (!known.has(sha256))
      throw new BackupFault(
        'The document store already contains files that are not in this backup: set KEYTURN_DATA_DIR to an empty folder.',
      );
  }
}

/** Reads the whole backup. @returns as `forEachIntact` @throws BackupFault if anything else is missing or altered */
async function verifyAll(
  backup: OpenedBackup,
  documents: DocumentList,
  withoutDamaged: boolean,
): Promise<string[]> {
  for (const table of backup.contents.tables) await drain(backup.readTable(table));
  return forEachIntact(backup, { documents, withoutDamaged }, (document) => backup.readDocument(document));
}

/** @returns as `forEachIntact` */
const restoreDocuments = (
  { files }: Pick<RestoreDependencies, 'files'>,
  backup: OpenedBackup,
  { leftOut, ...options }: IntactOptions & { leftOut: ReadonlySet<string> },
): Promise<string[]> =>
  forEachIntact(backup, options, async (document) => {
    if (leftOut.has(document.sha256)) return;
    const sha256 = await files.put(await backup.readDocument(document));
    if (sha256 !== document.sha256)
      throw new Error(`the document ${document.sha256} was stored as ${sha256}`);
  });

interface IntactOptions {
  documents: DocumentList;
  withoutDamaged: boolean;
}

/**
 * Processes the documents that the backup contains.
 * @returns the SHA-256 of those that turned out to be damaged, if they are to be left out
 * @throws DamagedDocument for the first one otherwise
 */
async function forEachIntact(
  { contents }: OpenedBackup,
  { documents, withoutDamaged }: IntactOptions,
  work: (document: ListedDocument) => Promise<unknown>,
): Promise<string[]> {
  const missing = new Set([...contents.documents.damaged, ...(contents.documents.removed ?? [])]);
  const damaged: string[] = [];
  await forEach(documents, async (document) => {
    if (missing.has(document.sha256)) return;
    try {
      await work(document);
    } catch (error) {
      if (!withoutDamaged || !(error instanceof DamagedDocument)) throw error;
      damaged.push(document.sha256);
    }
  });
  return damaged.sort();
}

async function fillTables(load: DatabaseLoad, backup: OpenedBackup): Promise<void> {
  checkSameTables(load, backup);
  for (const table of backup.contents.tables) {
    const rows = await load.fill(table, backup.readTable(table));
    const found = measureContent();
    await drain(through(load.read(table), [found.step]));
    if (rows !== table.rows || found.result().sha256 !== table.contentSha256)
      throw new BackupFault(
        `The table ${table.name} differs from the backup after it was filled (${rows} rows of ${table.rows}). Nothing was restored.`,
      );
  }
}

/** The tables of the job queue can differ, because its own package creates them. */
function checkSameTables(load: DatabaseLoad, { contents, manifest }: OpenedBackup): void {
  const namesOf = (tables: BackupContents['tables'] | DatabaseLoad['tables']) =>
    tables.map(({ name, columns }) => `${name} (${columns.join(', ')})`).sort();
  const [expected, found] = [namesOf(contents.tables), namesOf(load.tables)];
  const different =
    expected.find((table) => !found.includes(table)) ?? found.find((table) => !expected.includes(table));
  if (different !== undefined)
    throw new BackupFault(
      `This build creates other tables than the backup has, such as ${different}: restore it with Keyturn ${manifest.keyturn}, then start this version.`,
    );
}
