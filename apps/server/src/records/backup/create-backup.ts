import { createHash } from 'node:crypto';
import type { Clock } from '../../platform/clock.ts';
import { forEach } from '../../platform/files/for-each.ts';
import type { FileStore } from '../../platform/stored-file.ts';
import { createDocumentList, type DocumentList, type ListedDocument } from './document-list.ts';
import { documentName, documentNameKey } from './document-names.ts';
import {
  type BackupContents,
  type BackupFile,
  type BackupManifest,
  backupFiles,
  backupFormat,
  type CompressedFile,
} from './manifest.ts';
import type { BackupDraft, BackupEncryption, BackupFolder, Bytes, DatabaseSnapshot, Step } from './ports.ts';
import { bytesOf, compress, measureContent, through, verifyContent } from './steps.ts';

export interface CreateBackupDependencies {
  openSnapshot(): Promise<DatabaseSnapshot>;
  files: Pick<FileStore, 'measure' | 'open'>;
  /** @returns which of these files the database still records now, after the snapshot */
  findRecordedFiles(sha256s: readonly string[]): Promise<ReadonlySet<string>>;
  folder: BackupFolder;
  /** Null: the backup is not encrypted. */
  encryption: BackupEncryption | null;
  clock: Clock;
  /** The version of Keyturn. */
  version: string;
}

export interface CreatedBackup {
  /** The folder of the backup. */
  path: string;
  /** SHA-256 of its manifest, which covers everything in the backup. */
  manifestSha256: string;
  takenAt: Date;
  tables: number;
  rows: number;
  /** Bytes of the compressed tables. */
  tableBytes: number;
  documents: { count: number; bytes: number; added: number; addedBytes: number };
  /** The SHA-256 of documents that are missing or damaged in the store. */
  damaged: string[];
  /** The SHA-256 of files that an erasure removed meanwhile. */
  removed: string[];
}

/**
 * Backs up the database as it is at one moment, and the documents that belong to it. Documents that an earlier backup in
 * the folder contains are not copied again. Works while servers run.
 * @param onDocument called after each document, for progress
 * @throws BackupFault
 */
export async function createBackup(
  dependencies: CreateBackupDependencies,
  onDocument: (done: number, total: number) => void = () => {},
): Promise<CreatedBackup> {
  const draft = await dependencies.folder.start(nameOf(dependencies.clock()));
  try {
    return await fillDraft(dependencies, draft, onDocument);
  } catch (error) {
    // A full disk must not become fuller with each failed backup.
    await draft.discard().catch(() => undefined);
    throw error;
  }
}

async function fillDraft(
  dependencies: CreateBackupDependencies,
  draft: BackupDraft,
  onDocument: (done: number, total: number) => void,
): Promise<CreatedBackup> {
  const { encryption, version } = dependencies;
  const list = createDocumentList();
  const saved = await saveDatabase(dependencies, draft, list);
  const documents = await saveDocuments(dependencies, { list, nameKey: saved.nameKey, onDocument });
  const contents: BackupContents = {
    tables: saved.tables,
    sequences: saved.sequences,
    documents: {
      ...saved.listFile,
      count: list.count(),
      nameKey: saved.nameKey,
      damaged: documents.damaged,
      removed: documents.removed,
    },
  };
  const manifest: BackupManifest = {
    format: backupFormat,
    keyturn: version,
    takenAt: saved.takenAt.toISOString(),
    installationId: saved.installationId,
    schema: saved.schema,
    isEncrypted: encryption !== null,
    erased: saved.erased,
    contents: await writeContents(draft, contents, encryption),
  };
  const text = `${JSON.stringify(manifest, null, 2)}\n`;
  const path = await draft.finish(text);
  return {
    path,
    manifestSha256: createHash('sha256').update(text).digest('hex'),
    takenAt: saved.takenAt,
    tables: saved.tables.length,
    rows: sum(saved.tables.map(({ rows }) => rows)),
    tableBytes: sum(saved.tables.map(({ bytes }) => bytes)),
    documents: documents.totals,
    damaged: documents.damaged,
    removed: documents.removed,
  };
}

/** `2026-11-23T181500Z`, which every file system accepts. */
const nameOf = (moment: Date): string => `${moment.toISOString().slice(0, 19).replaceAll(':', '')}Z`;

/** The snapshot is closed before documents are copied, because an open one keeps PostgreSQL from tidying up. */
async function saveDatabase(
  { openSnapshot, encryption }: CreateBackupDependencies,
  draft: BackupDraft,
  list: DocumentList,
) {
  const snapshot = await openSnapshot();
  try {
    const names = backupFiles(encryption !== null);
    const tables: BackupContents['tables'] = [];
    for (const table of snapshot.tables) {
      const content = snapshot.read(table);
      const file = await writeCompressed(draft, names.table(table.name), content, encryption);
      tables.push({ ...table, ...file, rows: content.rowCount });
    }
    const listFile = await writeCompressed(
      draft,
      names.documents,
      list.step(snapshot.readStoredFiles()),
      encryption,
    );
    const { takenAt, schema, installation } = snapshot;
    return {
      tables,
      listFile,
      takenAt,
      schema,
      installationId: installation.id,
      nameKey: encryption ? documentNameKey(installation.secret, encryption.recipients) : null,
      // Read last: a number that was given out meanwhile must not be given out again.
      sequences: await snapshot.readSequences(),
      erased: await snapshot.readErasures(),
    };
  } finally {
    await snapshot.close();
  }
}

async function writeCompressed(
  draft: BackupDraft,
  file: string,
  bytes: Bytes,
  encryption: BackupEncryption | null,
): Promise<CompressedFile> {
  const content = measureContent();
  const stored = measureContent();
  await draft.write(file, through(bytes, [content.step, compress, ...stepsOf(encryption), stored.step]));
  return { ...stored.result(), contentSha256: content.result().sha256 };
}

async function writeContents(
  draft: BackupDraft,
  contents: BackupContents,
  encryption: BackupEncryption | null,
): Promise<BackupFile> {
  const stored = measureContent();
  await draft.write(
    backupFiles(encryption !== null).contents,
    through(bytesOf(`${JSON.stringify(contents, null, 2)}\n`), [...stepsOf(encryption), stored.step]),
  );
  return stored.result();
}

const stepsOf = (encryption: BackupEncryption | null): Step[] => (encryption ? [encryption.encrypt] : []);

async function saveDocuments(
  dependencies: CreateBackupDependencies,
  {
    list,
    nameKey,
    onDocument,
  }: { list: DocumentList; nameKey: string | null; onDocument: (done: number, total: number) => void },
) {
  const unreadable: string[] = [];
  const totals = { count: 0, bytes: 0, added: 0, addedBytes: 0 };
  await forEach(list, async (document) => {
    const outcome = await saveDocument(dependencies, document, nameKey);
    totals.count += 1;
    totals.bytes += document.size;
    if (outcome === 'damaged') unreadable.push(document.sha256);
    if (outcome === 'added') {
      totals.added += 1;
      totals.addedBytes += document.size;
    }
    onDocument(totals.count, list.count());
  });
  const recorded =
    unreadable.length > 0 ? await dependencies.findRecordedFiles(unreadable) : new Set<string>();
  return {
    totals,
    damaged: unreadable.filter((sha256) => recorded.has(sha256)).sort(),
    removed: unreadable.filter((sha256) => !recorded.has(sha256)).sort(),
  };
}

async function saveDocument(
  { files, folder, encryption }: CreateBackupDependencies,
  { sha256, size }: ListedDocument,
  nameKey: string | null,
): Promise<'added' | 'known' | 'damaged'> {
  const name = documentName(sha256, nameKey);
  const known = await folder.sizeOfDocument(name);
  // An encrypted document is larger than its content.
  if (known !== null && (nameKey === null ? known === size : known > size)) return 'known';
  const found = await files.measure(sha256, size + 1);
  if (found?.sha256 !== sha256 || found.size !== size) return 'damaged';
  await folder.putDocument(
    name,
    through(size === 0 ? bytesOf('') : files.open(sha256, { start: 0, end: size - 1 }), [
      verifyContent({ sha256, size }),
      ...stepsOf(encryption),
    ]),
  );
  return 'added';
}

const sum = (values: number[]): number => values.reduce((total, value) => total + value, 0);
