import { signedFileName } from '@keyturn/contract';
import type { AlertOperator } from '../../platform/alert-operator.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Connection } from '../../platform/database.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { isId } from '../../platform/ids.ts';
import { checkStoredFile, type StoredContent, type StoredFile } from '../../platform/stored-file.ts';
import {
  type DocumentRow,
  findDocument,
  findDocumentOfClient,
  findSignatures,
  type OwnDocument,
  type SignedFileRow,
} from './documents-store.ts';
import { type DocumentFiles, UnprintableDocument } from './ports.ts';
import type { SignedCopies } from './signed-copies.ts';
import { recordDelivery } from './withdraw-document.ts';

interface FileDependencies {
  files: DocumentFiles;
  alertOperator: AlertOperator;
}

export interface ContentDependencies extends FileDependencies {
  database: Connection;
  copies: Pick<SignedCopies, 'make'>;
}

export interface DocumentContent {
  content: StoredContent;
  mediaType: string;
  fileName: string;
}

/**
 * Reads a document's file. For a signed document that is the signed copy, unless the original is requested or no copy
 * can be made.
 * @throws DomainError `not_found`, `document_damaged`; `unavailable` when making the signed copy failed temporarily
 */
export async function readContent(
  dependencies: ContentDependencies,
  request: OwnDocument & { version: 'original' | undefined },
): Promise<DocumentContent> {
  const { database } = dependencies;
  const document = isId(request.documentId) ? await findDocumentOfClient(database, request) : undefined;
  if (!document) throw new DomainError('not_found');
  return contentOf(dependencies, document, request.version);
}

/**
 * Reads a document's file for a client, and records that they are sent it when some of it is.
 * @throws DomainError as `readContent`
 */
export async function sendContent(
  dependencies: ContentDependencies & { clock: Clock },
  request: OwnDocument & { version: 'original' | undefined },
): Promise<DocumentContent> {
  const { content, ...file } = await readContent(dependencies, request);
  const prepareToSend = async () => {
    await content.prepareToSend();
    await recordDelivery(dependencies, request);
  };
  return { ...file, content: { ...content, prepareToSend } };
}

/** Reads a document's file for staff. It does not count as read by a client. @throws DomainError as `readContent` */
export async function readContentForStaff(
  dependencies: ContentDependencies,
  request: { documentId: string; version: 'original' | undefined },
): Promise<DocumentContent & { reference: string }> {
  const { documentId, version } = request;
  const found = isId(documentId) ? await findDocument(dependencies.database, documentId) : undefined;
  if (!found) throw new DomainError('not_found');
  const { document } = found;
  return { ...(await contentOf(dependencies, document, version)), reference: document.reference };
}

async function contentOf(
  dependencies: ContentDependencies,
  document: DocumentRow,
  version: 'original' | undefined,
): Promise<DocumentContent> {
  const file = version === 'original' ? null : await signedFileOf(dependencies, document);
  if (!file) {
    return {
      content: contentOfFile(dependencies, { documentId: document.id, ...document }),
      mediaType: document.mediaType,
      fileName: document.fileName,
    };
  }
  return {
    content: contentOfFile(dependencies, { documentId: document.id, ...file }),
    mediaType: 'application/pdf',
    fileName: signedFileName(document.fileName),
  };
}

const contentOfFile = (dependencies: FileDependencies, file: StoredFile): StoredContent => ({
  sha256: file.sha256,
  size: file.size,
  prepareToSend: () => checkStoredFile(dependencies, file),
  open: (range) => dependencies.files.open(file.sha256, range),
});

/** @returns null for an unsigned document and for one that can have no signed copy */
async function signedFileOf(
  { database, copies }: ContentDependencies,
  { id }: DocumentRow,
): Promise<SignedFileRow | null> {
  const latest = (await findSignatures(database, id)).at(-1);
  if (!latest) return null;
  try {
    return latest.file ?? (await copies.make(id));
  } catch (error) {
    if (error instanceof UnprintableDocument) return null;
    if (error instanceof DomainError) throw error;
    throw new DomainError('unavailable', { retryAfter: 60 });
  }
}
