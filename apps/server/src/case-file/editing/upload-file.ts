import { recordAudit } from '../../platform/audit/record-audit.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { newId } from '../../platform/ids.ts';
import { findStoredFile } from '../documents/stored-files.ts';
import type { ImportDependencies } from '../import/batches/batch-context.ts';
import type { FeedFile } from '../import/documents/read-document.ts';
import {
  type CheckedFile,
  checkFile,
  keepWaitingFile,
  type ReceivedFile,
} from '../import/documents/waiting-files.ts';
import { deskPrefix } from '../records/references.ts';
import { RecordRejected } from '../records/rejected-record.ts';
import type { EditRequest } from './edit-case.ts';

export interface UploadedFile {
  /** The document that is added with it has the reference `desk-ID`. */
  id: string;
  mediaType: FeedFile['mediaType'];
  /** Bytes. */
  size: number;
}

/**
 * Stores a file for a document that is added at the desk within 24 hours.
 * @throws DomainError `invalid_input`, `edit_not_possible`, `unauthenticated`, `unavailable`
 */
export async function uploadFile(
  dependencies: ImportDependencies,
  { actor, address, mayEdit }: EditRequest,
  content: Buffer,
): Promise<UploadedFile> {
  const id = newId();
  const reference = deskPrefix + id;
  const file = await checkUpload(dependencies, { reference, content, sender: { actor, address } });
  const sentAt = dependencies.clock();
  await keepWaitingFile(dependencies, file, sentAt, async (transaction, sha256) => {
    if (!(await mayEdit(transaction))) throw new DomainError('unauthenticated');
    await recordAudit(transaction, {
      occurredAt: sentAt,
      actor,
      action: 'desk.file_uploaded',
      subject: { kind: 'document', id: reference },
      address,
      after: { sha256 },
    });
  }).catch((error: unknown) => {
    const isFull = error instanceof DomainError && error.code === 'feed_not_possible';
    throw isFull ? new DomainError('edit_not_possible', { message: tooMany }) : error;
  });
  return { id, mediaType: file.mediaType, size: content.length };
}

async function checkUpload(dependencies: ImportDependencies, file: ReceivedFile): Promise<CheckedFile> {
  try {
    return await checkFile(dependencies, file);
  } catch (error) {
    if (!(error instanceof RecordRejected)) throw error;
    const { message } = error;
    throw new DomainError('invalid_input', { message: `This file ${message}.`, errors: { file: [message] } });
  }
}

const tooMany = 'Too many uploaded files wait for their documents. Please try again tomorrow.';

/**
 * Checks whether a document can be signed in Keyturn: its file must be a PDF that a page can be added to.
 * @param reference of a document, or of one that is added with an uploaded file
 * @returns why not; null if it can
 */
export async function findFaultOfFile(
  { database, files, findSigningFault }: ImportDependencies,
  reference: string,
): Promise<string | null> {
  const file = await findStoredFile(database, reference);
  const content = file && (await files.read(file.sha256, file.size));
  return content ? findSigningFault(content) : 'the file cannot be read';
}
