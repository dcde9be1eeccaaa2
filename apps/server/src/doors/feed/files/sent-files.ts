import { basename } from 'node:path';
import { inArray, sql } from 'drizzle-orm';
import {
  hashesOf,
  type ImportedFiles,
  isForSigning,
  type PreparedFile,
} from '../../../case-file/import/documents/prepare-documents.ts';
import type { DocumentFaults, FeedFiles } from '../../../case-file/import/ports.ts';
import { RecordRejected } from '../../../case-file/records/rejected-record.ts';
import type { Database } from '../../../platform/database.ts';
import { whileReserved } from '../../../platform/files/file-reservations.ts';
import { feedFiles } from '../../../schema/tables/feed-key-tables.ts';
import { documents } from '../../../schema/tables/tables.ts';

export interface SentFileDependencies {
  database: Database;
  files: FeedFiles;
  findSigningFault: DocumentFaults['findSigningFault'];
}

/** Finds the files of documents that are sent over HTTP: the uploaded file, or the stored one. */
export function createSentFiles({ database, files, findSigningFault }: SentFileDependencies): ImportedFiles {
  return {
    prepare: async (sent, isImported) => {
      const stored = await findFiles(
        database,
        sent.map(({ reference }) => reference),
      );
      const prepared = new Map<string, PreparedFile | RecordRejected>();
      for (const document of sent) {
        const { reference, file } = document;
        const found = stored.get(reference);
        if (!found) {
          const path = `/api/feed/documents/${encodeURIComponent(reference)}/file`;
          prepared.set(reference, new RecordRejected('/file', `has not been sent: send it to ${path} first`));
          continue;
        }
        const needsCheck = isForSigning(document) && !isImported(document, found.sha256);
        const content = needsCheck ? await files.read(found.sha256, found.size) : null;
        const fault = needsCheck
          ? content
            ? await findSigningFault(content)
            : 'the stored file cannot be read'
          : null;
        prepared.set(
          reference,
          fault === null
            ? { ...found, fileName: basename(file), isForSigning: isForSigning(document) }
            : new RecordRejected('/file', `cannot be signed: ${fault}`),
        );
      }
      return prepared;
    },
    whileReserved: (prepared, work) => whileReserved(database, hashesOf(prepared), work),
    // The file was not reserved yet when it was found.
    store: async ({ reference }, { sha256 }) => {
      const found = (await findFiles(database, [reference])).get(reference);
      if (found?.sha256 !== sha256) throw new RecordRejected('/file', 'changed meanwhile: send it again');
    },
  };
}

async function findFiles(database: Database, references: string[]) {
  const columns = (table: typeof documents | typeof feedFiles) => ({
    reference: table.reference,
    sha256: table.sha256,
    size: table.size,
    mediaType: sql<PreparedFile['mediaType']>`${table.mediaType}`,
  });
  const former = await database
    .select(columns(documents))
    .from(documents)
    .where(inArray(documents.reference, references));
  const sent = await database
    .select(columns(feedFiles))
    .from(feedFiles)
    .where(inArray(feedFiles.reference, references));
  return new Map([...former, ...sent].map(({ reference, ...file }) => [reference, file]));
}
