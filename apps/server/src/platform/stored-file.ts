import type { Readable } from 'node:stream';
import type { AlertOperator } from './alert-operator.ts';
import { DomainError } from './domain-error.ts';
import { sha256Of } from './files/sha256-of.ts';
import { isId } from './ids.ts';

/** Stores files under the SHA-256 of their content, in hex. Stored files never change. */
export interface FileStore {
  /**
   * Stores content durably, and replaces a damaged copy of it.
   * @returns the SHA-256
   * @throws FileStoreUnavailable, as do the other functions
   */
  put(content: Buffer): Promise<string>;
  has(sha256: string): Promise<boolean>;
  /**
   * Reads the file stored under this SHA-256 without verifying it.
   * @param maxBytes a longer file is cut off
   * @returns null when it does not exist or the disk cannot read it
   */
  read(sha256: string, maxBytes: number): Promise<Buffer | null>;
  /**
   * Computes the length and SHA-256 of the same file in chunks. The store remembers them for a minute, unless the file has
   * changed.
   */
  measure(sha256: string, maxBytes: number): Promise<{ size: number; sha256: string } | null>;
  /**
   * Streams the same file or a part of it. The stream fails when the file does not exist.
   * @param range first and last byte, from 0
   */
  open(sha256: string, range: { start: number; end: number }): Readable;
  /** Removes the file stored under this SHA-256, if there is one. Only erasures do. */
  remove(sha256: string): Promise<void>;
  /** Lists the SHA-256 of every stored file, in no particular order. */
  list(): AsyncIterable<string>;
  /** Reads the id that tells the store from others; null if it has none. It is copied with the files. */
  readId(): Promise<string | null>;
  /** Gives the store an id durably, in place of an earlier one. */
  writeId(id: string): Promise<void>;
}

/** The name of the file with the id of a store, next to the stored files. */
export const storeIdFile = 'keyturn-store-id';

/** Parses the content of that file. A file that was cut off counts as none. */
export function parseStoreId(content: Buffer | null): string | null {
  const id = content?.toString('latin1').trim() ?? '';
  return isId(id) ? id : null;
}

/**
 * Thrown when the store is unavailable, is full or does not keep what it was given. Nothing was recorded, and callers may
 * try again later.
 */
export class FileStoreUnavailable extends DomainError {
  override name = 'FileStoreUnavailable';
  /** Whether the store will answer the same until its settings or permissions change. */
  readonly isRefused: boolean;

  /** @param reason for the operator; callers get the message of the code `unavailable` */
  constructor(reason: string, { isRefused = false } = {}) {
    super('unavailable');
    this.cause = new Error(reason);
    this.isRefused = isRefused;
  }
}

/** Returns the reason for the operator. */
export const reasonOf = ({ cause }: FileStoreUnavailable): string => (cause as Error).message;

/** A file as its record describes it. */
export interface StoredFile {
  sha256: string;
  /** Bytes. */
  size: number;
  /** The subject of the file, for alerts. */
  documentId?: string;
  paymentId?: string;
}

/** A stored file to send, which is opened then. */
export interface StoredContent {
  /** In hex. */
  sha256: string;
  /** Bytes. */
  size: number;
  /**
   * Verifies the file, and records its delivery if it is sent to a client. Called before it is opened, and only if some of it is
   * sent.
   * @throws DomainError `document_damaged`
   */
  prepareToSend(): Promise<void>;
  /** @param range the first and the last byte, counted from 0 */
  open(range: { start: number; end: number }): Readable;
}

/**
 * Verifies the length and SHA-256 of a stored file in chunks.
 * @throws DomainError `document_damaged` after alerting the operator when the file is missing or changed
 */
export async function checkStoredFile(
  dependencies: { files: Pick<FileStore, 'measure'>; alertOperator: AlertOperator },
  file: StoredFile,
): Promise<void> {
  rejectDamaged(
    dependencies.alertOperator,
    file,
    await dependencies.files.measure(file.sha256, file.size + 1),
  );
}

/**
 * Reads and verifies a whole stored file, for work that needs all of it in memory.
 * @throws DomainError `document_damaged`, as {@link checkStoredFile}
 */
export async function readStoredFile(
  dependencies: { files: Pick<FileStore, 'read'>; alertOperator: AlertOperator },
  file: StoredFile,
): Promise<Buffer> {
  const content = await dependencies.files.read(file.sha256, file.size + 1);
  const found = content && { size: content.length, sha256: await sha256Of(content) };
  rejectDamaged(dependencies.alertOperator, file, found);
  return content as Buffer;
}

/** @param found the measured file; null when it is missing */
function rejectDamaged(
  alertOperator: AlertOperator,
  { documentId, paymentId, sha256, size }: StoredFile,
  found: { size: number; sha256: string } | null,
): void {
  const damaged = (reason: string) => {
    const owner = paymentId === undefined ? { document: documentId } : { payment: paymentId };
    alertOperator('a stored document is damaged', { ...owner, sha256, reason });
    return new DomainError('document_damaged');
  };
  if (found === null) throw damaged('the file is missing');
  if (found.size < size) throw damaged('the file is truncated');
  if (found.size > size) throw damaged('the file is longer than recorded');
  if (found.sha256 !== sha256) throw damaged('the file was altered');
}
