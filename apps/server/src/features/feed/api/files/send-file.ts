import { and, eq } from 'drizzle-orm';
import { recordAudit } from '../../../../platform/audit/record-audit.ts';
import { DomainError } from '../../../../platform/domain-error.ts';
import { feedFiles } from '../../../../platform/tables/feed-key-tables.ts';
import { deskPrefix } from '../../desk-references.ts';
import { checkDocumentContent, RecordRejected } from '../../documents/read-document.ts';
import { keepWaitingFile } from '../../documents/waiting-files.ts';
import { findKnown } from '../../feed-store.ts';
import { readRecords } from '../../records/read-records.ts';
import { invalidKey } from '../feed-caller.ts';
import { invalid } from '../feed-faults.ts';
import { type SendDependencies, type Sender, sendRecord } from '../send-records.ts';

interface SentFile {
  /** The reference of the document. */
  reference: string;
  content: Buffer;
}

/**
 * Stores the file of a document, and replaces the file of an existing document.
 * @returns `stored` if the file waits for the record of its document
 * @throws DomainError `invalid_input`, `feed_not_possible`, `unavailable`, `unauthenticated`
 */
export async function sendFile(
  dependencies: SendDependencies,
  sender: Sender,
  file: SentFile,
): Promise<'stored' | 'updated' | 'unchanged'> {
  const { database } = dependencies;
  const { reference } = file;
  if (reference.startsWith(deskPrefix) && (await findKnown(database, 'documents', [reference])).size === 0)
    throw invalid('reference', `starts with ${deskPrefix}, which is only for documents added at the desk`);
  const sha256 = await keepFile(dependencies, sender, file);
  const known = (await findKnown(database, 'documents', [reference])).get(reference);
  const stored = (await readRecords(database, 'documents', [reference])).get(reference);
  if (!known || !stored) return 'stored';
  const forget = () =>
    database.delete(feedFiles).where(and(eq(feedFiles.reference, reference), eq(feedFiles.sha256, sha256)));
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
async function keepFile(
  { database, clock, files, isKeyUsable }: SendDependencies,
  { caller: { id, name }, address }: Sender,
  { reference, content }: SentFile,
): Promise<string> {
  const mediaType = typeOfContent(content);
  const occurredAt = clock();
  const file = { reference, content, mediaType, sentAt: occurredAt };
  return keepWaitingFile({ database, files }, file, async (transaction, sha256) => {
    if (!(await isKeyUsable(transaction, id))) throw invalidKey();
    await recordAudit(transaction, {
      occurredAt,
      actor: { kind: 'feed_key', id, name },
      action: 'feed.file_sent',
      subject: { kind: 'document', id: reference },
      address,
      after: { sha256 },
    });
  });
}

function typeOfContent(content: Buffer) {
  try {
    return checkDocumentContent(content);
  } catch (error) {
    throw error instanceof RecordRejected ? invalid('file', error.message) : error;
  }
}
