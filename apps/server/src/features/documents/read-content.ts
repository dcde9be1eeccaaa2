import type { Connection } from '../../platform/database.ts';
import { isId } from '../../platform/ids.ts';
import { Refusal } from '../../platform/refusal.ts';
import {
  type DocumentRow,
  findDocumentOfClient,
  findSignatures,
  type OwnDocument,
  type SignedFileRow,
} from './documents-store.ts';
import type { DocumentFiles } from './ports.ts';
import { readStoredFile } from './read-stored-file.ts';
import type { SignedCopies } from './signed-copies.ts';

export interface ContentDependencies {
  database: Connection;
  files: DocumentFiles;
  copies: SignedCopies;
  alarm(message: string, details: Record<string, unknown>): void;
}

export interface DocumentContent {
  content: Buffer;
  mediaType: string;
  fileName: string;
}

/**
 * A document's file; once it is signed, the copy with its signature page unless the original is asked for.
 * @throws Refusal `not_found`, `document_damaged`; `unavailable` where the signed copy could not be made just now
 */
export async function readContent(
  dependencies: ContentDependencies,
  request: OwnDocument & { version: 'original' | undefined },
): Promise<DocumentContent> {
  const { database } = dependencies;
  const document = isId(request.documentId) ? await findDocumentOfClient(database, request) : undefined;
  if (!document) throw new Refusal('not_found');
  const signatures = request.version === 'original' ? [] : await findSignatures(database, document.id);
  const latest = signatures.at(-1);
  if (!latest) {
    return {
      content: await readStoredFile(dependencies, { documentId: document.id, ...document }),
      mediaType: document.mediaType,
      fileName: document.fileName,
    };
  }
  const file = latest.file ?? (await tryToMake(dependencies, document));
  return {
    content: await readStoredFile(dependencies, { documentId: document.id, ...file }),
    mediaType: 'application/pdf',
    fileName: `${document.fileName.replace(/\.(pdf|png|jpe?g|webp)$/i, '')} (signed).pdf`,
  };
}

async function tryToMake({ copies }: ContentDependencies, { id }: DocumentRow): Promise<SignedFileRow> {
  try {
    return await copies.make(id);
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw new Refusal('unavailable', { retryAfter: 60 });
  }
}
