import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import type { FileStore } from '../../platform/stored-file.ts';
import type { DocumentList, ListedDocument } from './document-list.ts';
import { forEachDocument } from './for-each-document.ts';
import { findLaterErasures } from './later-erasures.ts';
import type { BackupContents } from './manifest.ts';
import { drain, type OpenBackupDependencies, type OpenedBackup, openBackup } from './open-backup.ts';
import {
  BackupFault,
  type DatabaseLoad,
  type ErasedSubject,
  type KnownSchema,
  type RestoreTarget,
} from './ports.ts';
import { prepareRestored, recordRestore } from './prepare-restored.ts';
import { measureContent, through } from './steps.ts';

export interface RestoreDependencies extends OpenBackupDependencies {
  schema: KnownSchema;
  /** Null: the backup is only verified. */
  target: RestoreTarget | null;
  files: Pick<FileStore, 'put' | 'list'>;
  clock: Clock;
  /** Erases again what was erased after the backup. @returns what the backup had brought back */
  eraseAgain(database: Database, subjects: readonly ErasedSubject[]): Promise<ErasedSubject[]>;
  /** Called before each part of the work, for progress. */
  onStep?: ((step: RestoreStep) => void) | undefined;
}

export type RestoreStep = 'verify' | 'documents' | 'database';

export interface RestoreOptions {
  /** The name of the backup's folder. */
  name: string;
  /** The SHA-256 of the manifest that the backup printed; null to accept any. */
  expected: string | null;
}

/**
 * Restores a backup into an empty database and an empty document store. Everything in it is verified before anything
 * is written, and the database is committed only once it contains exactly the rows of the backup.
 * @returns the backup, and what was erased again because a later backup in the folder lists it as erased
 * @throws BackupFault for a damaged, unknown or newer backup, and for a place that is not empty
 */
export async function restoreBackup(
  dependencies: RestoreDependencies,
  { name, expected }: RestoreOptions,
): Promise<OpenedBackup & { erasedAgain: ErasedSubject[] }> {
  const { target, onStep } = dependencies;
  const backup = await openBackup(dependencies, name, expected);
  checkVersion(backup, dependencies.schema);
  await target?.checkEmpty(backup.manifest.schema.migration);
  onStep?.('verify');
  const documents = await backup.readDocuments();
  if (target) await checkOwnFiles(dependencies.files, documents);
  await verifyAll(backup, documents);
  if (!target) return { ...backup, erasedAgain: [] };
  onStep?.('documents');
  await restoreDocuments(dependencies, backup, documents);
  onStep?.('database');
  const { manifest } = backup;
  const at = dependencies.clock();
  await target.load(manifest.schema.migration, {
    fill: async (load) => {
      await fillTables(load, backup);
      await load.setSequences(backup.contents.sequences);
      await prepareRestored(load.connection, { at, takenAt: new Date(manifest.takenAt) });
    },
    finish: (connection) => recordRestore(connection, { at, manifest }),
  });
  await target.upgrade();
  const later = await findLaterErasures(dependencies.folder, manifest);
  const erasedAgain =
    later.length === 0 ? [] : await target.finish((database) => dependencies.eraseAgain(database, later));
  return { ...backup, erasedAgain };
}

export interface RestoreDocumentsDependencies
  extends OpenBackupDependencies,
    Pick<RestoreDependencies, 'files'> {
  /** @returns the SHA-256 of files that erasures have removed */
  findErasedFiles(): Promise<ReadonlySet<string>>;
}

/**
 * Stores the documents of a backup again, next to those that the store has, and leaves the database alone. Each one is
 * verified before it is stored; those that an erasure has removed are left out.
 * @throws BackupFault for a damaged or unknown backup
 */
export async function restoreDocumentsOnly(
  dependencies: RestoreDocumentsDependencies,
  { name, expected }: RestoreOptions,
): Promise<OpenedBackup> {
  const backup = await openBackup(dependencies, name, expected);
  const erased = await dependencies.findErasedFiles();
  await restoreDocuments(dependencies, backup, await backup.readDocuments(), erased);
  return backup;
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

/** Reads the whole backup. @throws BackupFault if anything is missing or altered */
async function verifyAll(backup: OpenedBackup, documents: DocumentList): Promise<void> {
  for (const table of backup.contents.tables) await drain(backup.readTable(table));
  await forEachIntact(backup, documents, (document) => backup.readDocument(document));
}

async function restoreDocuments(
  { files }: Pick<RestoreDependencies, 'files'>,
  backup: OpenedBackup,
  documents: DocumentList,
  leftOut: ReadonlySet<string> = new Set(),
): Promise<void> {
  await forEachIntact(backup, documents, async (document) => {
    if (leftOut.has(document.sha256)) return;
    const sha256 = await files.put(await backup.readDocument(document));
    if (sha256 !== document.sha256)
      throw new Error(`the document ${document.sha256} was stored as ${sha256}`);
  });
}

/** Processes the documents that the backup contains. */
function forEachIntact(
  { contents }: OpenedBackup,
  documents: DocumentList,
  work: (document: ListedDocument) => Promise<unknown>,
): Promise<void> {
  const damaged = new Set(contents.documents.damaged);
  return forEachDocument(documents, async (document) => {
    if (!damaged.has(document.sha256)) await work(document);
  });
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
