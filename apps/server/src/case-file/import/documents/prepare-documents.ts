import type { FeedRecord } from '@keyturn/contract';
import type { AuditedBy } from '../../../platform/audit/audit-entry.ts';
import { whileReserved } from '../../../platform/files/file-reservations.ts';
import { sha256Of } from '../../../platform/files/sha256-of.ts';
import { RecordRejected } from '../../records/rejected-record.ts';
import type { DocumentFaults, FeedFiles } from '../ports.ts';
import { type FeedFile, readFeedDocument } from './read-document.ts';
import { rejectMalware, type ScanDependencies } from './reject-malware.ts';

/** The checked file of a document record, without its content. */
export interface PreparedFile extends Omit<FeedFile, 'content'> {
  /** Bytes. */
  size: number;
  /** In hex. */
  sha256: string;
  /** Whether it was checked as a file that is signed in Keyturn. */
  isForSigning: boolean;
}

/** The prepared file of each document by reference, or the reason for rejecting the record. */
export type PreparedFiles = ReadonlyMap<string, PreparedFile | RecordRejected>;

/** The files that the documents of a batch name. */
export interface ImportedFiles {
  /**
   * Reads and describes files, and checks that documents to be signed can be.
   * @param isImported tells whether a document with this file was imported and checked before
   */
  prepare(
    documents: readonly FeedRecord<'documents'>[],
    isImported: (document: FeedRecord<'documents'>, sha256: string) => boolean,
  ): Promise<PreparedFiles>;
  /** Runs work that stores and records prepared files, so that no erasure removes them meanwhile. */
  whileReserved(files: readonly PreparedFile[], work: () => Promise<void>): Promise<void>;
  /**
   * Stores the file of a document.
   * @throws RecordRejected if it has changed since it was prepared
   */
  store(document: FeedRecord<'documents'>, file: PreparedFile): Promise<void>;
}

/** The maximum number of files in memory; each has up to 25 MB. */
export const filesAtOnce = 3;

/** Reads document files from a folder, several at once, scans and stores them. Node hashes them on its worker threads. */
export function createFolderFiles(
  dependencies: ScanDependencies & DocumentFaults & { files: FeedFiles },
  { folder, sender }: { folder: string; sender: AuditedBy },
): ImportedFiles {
  const { database, files } = dependencies;
  const prepareFile = async (
    document: FeedRecord<'documents'>,
    isImported: (sha256: string) => boolean,
  ): Promise<PreparedFile | RecordRejected> => {
    try {
      const { content, ...file } = await readFeedDocument(folder, document.file);
      const sha256 = await sha256Of(content);
      const isNew = !isImported(sha256);
      if (isNew) await rejectMalware(dependencies, { reference: document.reference, content, sender });
      const fault = isNew ? await faultOf(document, content) : null;
      if (fault !== null) return new RecordRejected('/file', fault);
      return { ...file, size: content.length, sha256, isForSigning: isForSigning(document) };
    } catch (error) {
      if (error instanceof RecordRejected) return error;
      throw error;
    }
  };
  const faultOf = async (document: FeedRecord<'documents'>, content: Buffer) => {
    const isToSign = isForSigning(document);
    const fault = await dependencies[isToSign ? 'findSigningFault' : 'findViewingFault'](content);
    return fault && `cannot be ${isToSign ? 'signed' : 'shared'}: ${fault}`;
  };
  return {
    prepare: async (documents, isImported) => {
      const prepared = new Map<string, PreparedFile | RecordRejected>();
      const byFile = new Map<string, Promise<PreparedFile | RecordRejected>>();
      await forEachOf(documents, filesAtOnce, async (document) => {
        const known = byFile.get(keyOf(document));
        const file = known ?? prepareFile(document, (sha256) => isImported(document, sha256));
        byFile.set(keyOf(document), file);
        prepared.set(document.reference, await file);
      });
      return prepared;
    },
    whileReserved: (prepared, work) => whileReserved(database, hashesOf(prepared), work),
    store: async (document, { sha256 }) => {
      const { content } = await readFeedDocument(folder, document.file);
      if ((await sha256Of(content)) !== sha256)
        throw new RecordRejected('/file', 'changed during the import');
      await files.put(content);
    },
  };
}

/** Documents with the same file can differ in whether they are signed in Keyturn. */
const keyOf = (document: FeedRecord<'documents'>) =>
  `${isForSigning(document) ? 'signed' : 'read'} ${document.file}`;

/** Whether a document is signed in Keyturn. */
export const isForSigning = ({ signing }: Pick<FeedRecord<'documents'>, 'signing'>): boolean =>
  signing === 'simple';

export const hashesOf = (files: readonly PreparedFile[]): string[] => files.map(({ sha256 }) => sha256);

/**
 * Runs work for each item, for a few of them concurrently.
 * @throws the first error, after which no further work is started
 */
export async function forEachOf<Item>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const remaining = items.values();
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (const item of remaining) await work(item);
    }),
  );
}
