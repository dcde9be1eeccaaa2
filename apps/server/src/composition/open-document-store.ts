import { join } from 'node:path';
import { createClamdScanner } from '../adapters/clamd/create-clamd-scanner.ts';
import { createFileStore } from '../adapters/files/file-store.ts';
import type { S3Timeouts } from '../adapters/files/s3-objects.ts';
import type { AlertOperator } from '../platform/alert-operator.ts';
import type { Clock } from '../platform/clock.ts';
import type { FindMalware } from '../platform/files/find-malware.ts';
import { StartFault } from '../platform/start-fault.ts';
import { type FileStore, FileStoreUnavailable, reasonOf } from '../platform/stored-file.ts';
import type { AuditArchive } from '../records/audit/ports.ts';
import type { Settings } from '../settings/read-settings.ts';

export interface DocumentStore {
  files: FileStore;
  /** Where it is, for messages to the operator. */
  name: string;
  /** Whether it answered when it was opened. */
  isAvailable: boolean;
  /** The problem of a store that may recover; the server starts anyway. */
  warnings: string[];
  close(): void;
}

interface StoreOperator {
  clock: Clock;
  alertOperator: AlertOperator;
  timeouts?: S3Timeouts;
  /** A server must be able to store files; many commands only read. */
  isServer: boolean;
}

/**
 * Opens the document store that the settings choose.
 * @throws StartFault if the store refuses these settings
 */
export async function openDocumentStore(
  { documents, dataDirectory }: Pick<Settings, 'documents' | 'dataDirectory'>,
  { isServer, ...operator }: StoreOperator,
): Promise<DocumentStore> {
  if (documents.s3 === null) {
    const folder = join(dataDirectory, 'documents');
    return {
      files: createFileStore(folder),
      name: folder,
      isAvailable: true,
      warnings: [],
      close: () => {},
    };
  }
  // Loaded only here, because the client of S3 is large.
  const { createS3Store } = await import('../adapters/files/s3-store.ts');
  const store = createS3Store({ ...documents.s3, ...operator });
  let isAvailable = true;
  const warnings = await store.check({ writes: isServer }).catch((fault: unknown) => {
    isAvailable = false;
    try {
      return [describeStoreFault(fault)];
    } catch (error) {
      store.close();
      throw error;
    }
  });
  const name = `s3://${documents.s3.bucket}/${documents.s3.prefix}`;
  return { files: store, name, isAvailable, warnings, close: store.close };
}

/**
 * Describes a store that may recover. A server that crashes while it is unavailable can start again and serve everything
 * but documents.
 * @throws StartFault if the store refuses these settings; any other error as it is
 */
export function describeStoreFault(fault: unknown): string {
  if (!(fault instanceof FileStoreUnavailable)) throw fault;
  if (fault.isRefused) throw new StartFault(`${reasonOf(fault)}. The settings are KEYTURN_S3_….`);
  return `${reasonOf(fault)}, so documents cannot be read or stored now`;
}

/** Creates the scanner that the settings choose. Without one, no file is scanned. */
export const openScanner = (
  { documents: { virusScanner } }: Pick<Settings, 'documents'>,
  operator: Pick<StoreOperator, 'clock' | 'alertOperator'>,
): FindMalware =>
  virusScanner ? createClamdScanner({ address: virusScanner, ...operator }) : async () => null;

/** Opens the archive of the audit log that the settings choose; null without one. */
export async function openAuditArchive({
  documents: { auditArchive: place },
}: Pick<Settings, 'documents'>): Promise<AuditArchive | null> {
  if (place === null) return null;
  // Loaded only here, because the client of S3 is large.
  const { createFolderArchive, createS3Archive } = await import('../adapters/files/audit-archives.ts');
  return 'folder' in place ? createFolderArchive(place.folder) : createS3Archive(place.s3);
}
