import { basename } from 'node:path';
import type { FeedRecord } from '@keyturn/contract';
import { eq, sql } from 'drizzle-orm';
import type { Connection } from '../../platform/database.ts';
import { invalidInput } from '../../platform/domain-error.ts';
import { feedFiles } from '../../schema/tables/feed-key-tables.ts';
import { documents } from '../../schema/tables/tables.ts';
import { isForSigning, type PreparedFile } from '../import/documents/prepare-documents.ts';

/**
 * Finds the file of a document that is edited at the desk: the stored file, or the uploaded one of a new document.
 * @throws DomainError `invalid_input` if there is none
 */
export async function findFileOfRecord(
  connection: Connection,
  document: FeedRecord<'documents'>,
): Promise<PreparedFile> {
  const found = await findStoredFile(connection, document.reference);
  if (!found) throw invalidInput('file_id', 'is no uploaded file: upload it again');
  // The desk checks a file before it asks for signatures.
  return { ...found, fileName: basename(document.file), isForSigning: isForSigning(document) };
}

/** Finds the file of a document, or the uploaded file of a new one; null if there is none. */
export async function findStoredFile(
  connection: Connection,
  reference: string,
): Promise<Omit<PreparedFile, 'fileName' | 'isForSigning'> | null> {
  for (const table of [documents, feedFiles]) {
    const query = connection
      .select({
        sha256: table.sha256,
        size: table.size,
        mediaType: sql<PreparedFile['mediaType']>`${table.mediaType}`,
      })
      .from(table)
      .where(eq(table.reference, reference));
    // Locked, because an erasure may remove the file of an uploaded row that expires before the document has a row.
    const [found] = await (table === feedFiles ? query.for('share') : query);
    if (found) return found;
  }
  return null;
}
