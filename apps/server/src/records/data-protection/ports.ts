import type { Readable } from 'node:stream';
import type { FileStore } from '../../platform/stored-file.ts';

/** The document store: documents, signed copies and receipts. */
export type ExportedFiles = Pick<FileStore, 'measure' | 'open'>;

/** A file of an archive. */
export interface ArchivedFile {
  /** With folders, such as `documents/contract.pdf`. */
  name: string;
  content: AsyncIterable<Uint8Array>;
}

/**
 * Writes files to a new ZIP archive that only this user can read.
 * @throws Error with the code `EEXIST` if the archive exists
 */
export type WriteArchive = (path: string, files: AsyncIterable<ArchivedFile>) => Promise<void>;

/**
 * Creates a ZIP archive while it is read. Destroying it ends the reading of the files; an error of a file destroys it.
 */
export type OpenArchive = (files: AsyncIterable<ArchivedFile>) => Readable;
