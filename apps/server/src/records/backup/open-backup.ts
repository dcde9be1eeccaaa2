import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { createDocumentList, type DocumentList, type ListedDocument } from './document-list.ts';
import { documentName } from './document-names.ts';
import {
  type BackupContents,
  type BackupFile,
  type BackupManifest,
  backupFiles,
  type CompressedFile,
  parseContents,
  parseManifest,
} from './manifest.ts';
import {
  type BackupDecryption,
  BackupFault,
  type BackupFolder,
  type Bytes,
  DamagedDocument,
  type Step,
} from './ports.ts';
import { decompress, measureContent, through, verifyContent } from './steps.ts';

export interface OpenBackupDependencies {
  folder: BackupFolder;
  /** Null: no secret key was given. */
  decryption: BackupDecryption | null;
}

/** A backup whose list of contents was read and verified. */
export interface OpenedBackup {
  manifest: BackupManifest;
  /** In hex. */
  manifestSha256: string;
  contents: BackupContents;
  /** Streams the rows of a table, and fails at the end if the file was altered. */
  readTable(table: BackupContents['tables'][number]): Bytes;
  readDocuments(): Promise<DocumentList>;
  /** @returns the content of a document, verified @throws DamagedDocument */
  readDocument(document: ListedDocument): Promise<Buffer>;
}

/**
 * Opens a backup and verifies its manifest and list of contents.
 * @param name the name of its folder
 * @param expected the SHA-256 that the backup printed; null to accept any
 * @throws BackupFault for an incomplete, altered or unknown backup, and without the key of an encrypted one
 */
export async function openBackup(
  { folder, decryption }: OpenBackupDependencies,
  name: string,
  expected: string | null,
): Promise<OpenedBackup> {
  const stored = await folder.readManifest(name);
  const manifestSha256 = createHash('sha256').update(stored).digest('hex');
  if (expected !== null && expected !== manifestSha256)
    throw new BackupFault(
      `This is not the expected backup: the SHA-256 of its manifest is ${manifestSha256}, not ${expected}.`,
    );
  const manifest = parseManifest(stored);
  if (manifest.isEncrypted && !decryption)
    throw new BackupFault('This backup is encrypted: give the file with the secret key as --identity.');
  const decrypt: Step[] = manifest.isEncrypted && decryption ? [decryption.decrypt] : [];
  const names = backupFiles(manifest.isEncrypted);

  const read = (file: string, known: BackupFile, steps: Step[]): Bytes =>
    through(folder.openFile(name, file), [
      verifyFile(file, known),
      ...decrypt,
      ...steps,
      rejectDamaged(file),
    ]);
  const readCompressed = (file: string, known: CompressedFile, steps: Step[] = []) =>
    read(file, known, [decompress, verifyPlain(file, known), ...steps]);

  const contents = parseContents(await buffer(read(names.contents, manifest.contents, [])));
  return {
    manifest,
    manifestSha256,
    contents,
    readTable: (table) => readCompressed(names.table(table.name), table),
    readDocuments: async () => {
      const list = createDocumentList();
      await drain(readCompressed(names.documents, contents.documents, [list.step]));
      if (list.count() !== contents.documents.count) throw altered(names.documents);
      return list;
    },
    readDocument: async (document) => {
      const file = documentName(document.sha256, contents.documents.nameKey);
      try {
        return await buffer(through(folder.openDocument(file), [...decrypt, verifyContent(document)]));
      } catch (error) {
        if (error instanceof BackupFault) throw error;
        throw new DamagedDocument(
          `The document ${file} of the backup is missing or damaged (${(error as Error).message}). Restore another backup, or everything else with --without-damaged.`,
        );
      }
    },
  };
}

/** Reads to the end. */
export async function drain(bytes: Bytes): Promise<void> {
  for await (const _ of bytes);
}

const altered = (file: string) =>
  new BackupFault(`The file ${file} of the backup was altered or cut off: restore another backup.`);

const verifyFile = (file: string, known: BackupFile) =>
  verify(file, (found) => found.sha256 === known.sha256 && found.bytes === known.bytes);
const verifyPlain = (file: string, known: CompressedFile) =>
  verify(file, (found) => found.sha256 === known.contentSha256);

/** Creates a step that fails at the end if the content is not the one of the backup. */
function verify(file: string, isSame: (found: { bytes: number; sha256: string }) => boolean): Step {
  const measured = measureContent();
  return async function* (source) {
    yield* measured.step(source);
    if (!isSame(measured.result())) throw altered(file);
  };
}

/** Creates a step that reports a missing file, or one that cannot be decompressed, as altered. */
const rejectDamaged = (file: string): Step =>
  async function* (source) {
    try {
      yield* source;
    } catch (error) {
      throw error instanceof BackupFault ? error : altered(file);
    }
  };
