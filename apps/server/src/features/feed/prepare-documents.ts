import { createHash } from 'node:crypto';
import { type FeedRecord, feedRecords } from '@keyturn/contract';
import type { FindSigningFault } from './ports.ts';
import { type FeedFile, RecordRejected, readFeedDocument } from './read-document.ts';
import { findProblem } from './read-feed.ts';

/** The file of a document record, checked and described but not kept in memory. */
export interface PreparedFile extends Omit<FeedFile, 'content'> {
  /** Bytes. */
  size: number;
  /** In hex. */
  sha256: string;
}

/** The prepared file of each document record by its path; or why the record is rejected. */
export type PreparedFiles = ReadonlyMap<string, PreparedFile | RecordRejected>;

/**
 * Reads the files of a feed's documents and checks that those to be signed can be. A document can take as long as the
 * PDF process allows, so that this happens before any transaction.
 * @param isImported tells whether a document with this file was imported and checked before
 */
export async function prepareDocuments(
  findSigningFault: FindSigningFault,
  records: readonly unknown[],
  folder: string,
  isImported: (record: FeedRecord<'documents'>, sha256: string) => boolean,
): Promise<PreparedFiles> {
  const prepared = new Map<string, PreparedFile | RecordRejected>();
  for (const record of records) {
    // The import reports the problem of the record itself.
    if (findProblem(feedRecords.documents, record, '')) continue;
    const document = record as FeedRecord<'documents'>;
    const key = keyOf(document);
    if (prepared.has(key)) continue;
    try {
      const { content, ...file } = await readFeedDocument(folder, document.file);
      const sha256 = createHash('sha256').update(content).digest('hex');
      const needsCheck = document.signing === 'simple' && !isImported(document, sha256);
      const fault = needsCheck ? await findSigningFault(content) : null;
      prepared.set(
        key,
        fault === null
          ? { ...file, size: content.length, sha256 }
          : new RecordRejected('/file', `cannot be signed: ${fault}`),
      );
    } catch (error) {
      if (!(error instanceof RecordRejected)) throw error;
      prepared.set(key, error);
    }
  }
  return prepared;
}

/** @throws RecordRejected if the file cannot be imported */
export function findPrepared(files: PreparedFiles, record: FeedRecord<'documents'>): PreparedFile {
  const file = files.get(keyOf(record));
  if (file === undefined) throw new Error(`the file of document ${record.reference} was not prepared`);
  if (file instanceof RecordRejected) throw file;
  return file;
}

/** Documents with one file differ in whether they are signed here. */
const keyOf = ({ file, signing }: FeedRecord<'documents'>) =>
  `${signing === 'simple' ? 'signed' : 'read'} ${file}`;

/**
 * Reads the content of a prepared file again, to store it.
 * @throws RecordRejected if it has changed since
 */
export async function readPrepared(
  folder: string,
  record: FeedRecord<'documents'>,
  { sha256 }: PreparedFile,
): Promise<Buffer> {
  const { content } = await readFeedDocument(folder, record.file);
  if (createHash('sha256').update(content).digest('hex') !== sha256) {
    throw new RecordRejected('/file', 'changed during the import');
  }
  return content;
}
