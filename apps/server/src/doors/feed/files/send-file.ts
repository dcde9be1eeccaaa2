import {
  type CheckedFile,
  checkFile,
  forgetWaitingFile,
  keepWaitingFile,
} from '../../../case-file/import/documents/waiting-files.ts';
import { findKnown } from '../../../case-file/records/find-known.ts';
import { readRecords } from '../../../case-file/records/read-records.ts';
import { deskPrefix } from '../../../case-file/records/references.ts';
import { RecordRejected } from '../../../case-file/records/rejected-record.ts';
import { recordAudit } from '../../../platform/audit/record-audit.ts';
import { DomainError, invalidInput } from '../../../platform/domain-error.ts';
import { invalidKey } from '../feed-caller.ts';
import { type SendDependencies, type Sender, sendRecord } from '../send-records.ts';

/**
 * Checks and scans a file that was sent for a document.
 * @throws DomainError `invalid_input`, `unavailable`
 */
export async function checkSentFile(
  dependencies: SendDependencies,
  { caller: { id, name }, address }: Sender,
  file: { reference: string; content: Buffer },
): Promise<CheckedFile> {
  try {
    return await checkFile(dependencies, {
      ...file,
      sender: { actor: { kind: 'feed_key', id, name }, address },
    });
  } catch (error) {
    throw error instanceof RecordRejected ? invalidInput('file', error.message) : error;
  }
}

/**
 * Stores the file of a document, and replaces the file of an existing document.
 * @returns `stored` if the file waits for the record of its document
 * @throws DomainError `invalid_input`, `feed_not_possible`, `unavailable`, `unauthenticated`
 */
export async function sendFile(
  dependencies: SendDependencies,
  sender: Sender,
  file: CheckedFile,
): Promise<'stored' | 'updated' | 'unchanged'> {
  const { database } = dependencies;
  const { reference } = file;
  if (reference.startsWith(deskPrefix) && (await findKnown(database, 'documents', [reference])).size === 0)
    throw invalidInput(
      'reference',
      `starts with ${deskPrefix}, which is only for documents added at the desk`,
    );
  const sha256 = await keepFile(dependencies, sender.caller.id, file);
  const known = (await findKnown(database, 'documents', [reference])).get(reference);
  const stored = (await readRecords(database, 'documents', [reference])).get(reference);
  if (!known || !stored) return 'stored';
  const forget = () => forgetWaitingFile(database, { reference, sha256 });
  try {
    const result = await sendRecord(dependencies, sender, {
      kind: 'documents',
      record: stored.record,
      expected: known.rowVersion,
    });
    await forget();
    return result === 'unchanged' ? result : 'updated';
  } catch (error) {
    // Otherwise the next record of the document would be rejected too.
    if (error instanceof DomainError && error.code === 'invalid_input') await forget();
    throw error;
  }
}

/** Keeps a file until the record of its document is sent. @returns its SHA-256, in hex */
function keepFile(dependencies: SendDependencies, keyId: string, file: CheckedFile): Promise<string> {
  const occurredAt = dependencies.clock();
  return keepWaitingFile(dependencies, file, occurredAt, async (transaction, sha256) => {
    if (!(await dependencies.isKeyUsable(transaction, keyId))) throw invalidKey();
    await recordAudit(transaction, {
      occurredAt,
      ...file.sender,
      action: 'feed.file_sent',
      subject: { kind: 'document', id: file.reference },
      after: { sha256 },
    });
  });
}
