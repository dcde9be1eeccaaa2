import { basename } from 'node:path';
import { eq, sql } from 'drizzle-orm';
import type { Connection } from '../../platform/database.ts';
import { feedFiles } from '../../schema/tables/feed-key-tables.ts';
import { documents } from '../../schema/tables/tables.ts';
import type { DocumentFiles, PreparedFile } from '../import/documents/prepare-documents.ts';
import { RecordRejected } from '../import/documents/read-document.ts';

/**
 * Finds the files of documents that are edited at the desk: the stored file, or the uploaded one of a new document.
 * The desk checks before the transaction whether a document can be signed, because that takes long.
 */
export const createStoredFiles = (connection: Connection): DocumentFiles => ({
  prepare: async (sent) => {
    const prepared = new Map<string, PreparedFile | RecordRejected>();
    for (const { reference, file } of sent) {
      const found = await findStoredFile(connection, reference);
      prepared.set(
        reference,
        found
          ? { ...found, fileName: basename(file) }
          : new RecordRejected('/file_id', 'is no uploaded file: upload it again'),
      );
    }
    return prepared;
  },
  whileReserved: (_files, work) => work(),
  store: async () => {},
});

/** Finds the file of a document, or the uploaded file of a new one; null if there is none. */
export async function findStoredFile(
  connection: Connection,
  reference: string,
): Promise<Omit<PreparedFile, 'fileName'> | null> {
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
