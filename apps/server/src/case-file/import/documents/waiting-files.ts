import { and, eq, lt, sql } from 'drizzle-orm';
import type { AuditedBy } from '../../../platform/audit/audit-entry.ts';
import type { Connection, Database, Transaction } from '../../../platform/database.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import { storeAndRecord } from '../../../platform/files/file-reservations.ts';
import { feedFiles } from '../../../schema/tables/feed-key-tables.ts';
import { deskPrefix } from '../../records/references.ts';
import { RecordRejected } from '../../records/rejected-record.ts';
import type { DocumentFaults, FeedFiles } from '../ports.ts';
import { checkDocumentContent, type FeedFile } from './read-document.ts';
import { rejectMalware, type ScanDependencies } from './reject-malware.ts';

/** A file that was received for a document. */
export interface ReceivedFile {
  /** The reference of the document. */
  reference: string;
  content: Buffer;
  sender: AuditedBy;
}

/** A received file that may be stored. */
export interface CheckedFile extends ReceivedFile {
  mediaType: FeedFile['mediaType'];
}

/**
 * Checks the type of a received file, scans it, and checks that all readers show it the same. The scanner may take half a
 * minute.
 * @throws RecordRejected, ScannerUnavailable
 */
export async function checkFile(
  dependencies: ScanDependencies & Pick<DocumentFaults, 'findViewingFault'>,
  file: ReceivedFile,
): Promise<CheckedFile> {
  const mediaType = checkDocumentContent(file.content);
  await rejectMalware(dependencies, file);
  const fault = await dependencies.findViewingFault(file.content);
  if (fault !== null) throw new RecordRejected('/file', `cannot be shared: ${fault}`);
  return { ...file, mediaType };
}

/**
 * Stores a file that waits for the record of its document, for 24 hours. The store may be slow, so the transaction
 * starts after it has the file.
 * @param record runs in the transaction that records the file, with its SHA-256 in hex; throws to refuse it
 * @returns the SHA-256
 * @throws DomainError `feed_not_possible` if too many files wait, `unavailable`
 */
export async function keepWaitingFile(
  { database, files }: { database: Database; files: FeedFiles },
  { reference, content, mediaType }: Omit<CheckedFile, 'sender'>,
  sentAt: Date,
  record: (transaction: Transaction, sha256: string) => Promise<void>,
): Promise<string> {
  await database.delete(feedFiles).where(lt(feedFiles.sentAt, new Date(sentAt.getTime() - keptFor)));
  await checkWaiting(database, reference);
  return storeAndRecord({ database, files }, content, async (sha256) => {
    await database.transaction(async (transaction) => {
      await checkWaiting(transaction, reference);
      await record(transaction, sha256);
      const sent = { sha256, size: content.length, mediaType, sentAt };
      await transaction
        .insert(feedFiles)
        .values({ reference, ...sent })
        .onConflictDoUpdate({ target: feedFiles.reference, set: sent });
    });
    return sha256;
  });
}

/** @throws DomainError `feed_not_possible` if too many files wait */
async function checkWaiting(connection: Connection, reference: string): Promise<void> {
  // Files from the desk and from feeds have separate limits, so that neither blocks the other.
  const isOfDesk = sql`starts_with(${feedFiles.reference}, ${deskPrefix})`;
  const [waiting] = await connection
    .select({ files: sql<number>`count(*)::int` })
    .from(feedFiles)
    .where(sql`${isOfDesk} = ${reference.startsWith(deskPrefix)}`);
  if ((waiting?.files ?? 0) < maxWaiting) return;
  throw new DomainError('feed_not_possible', {
    message: `${maxWaiting} files wait for the records of their documents. Send these records first.`,
  });
}

/** Milliseconds. */
const keptFor = 24 * 3_600_000;
const maxWaiting = 1_000;

/** Forgets a file that waits for its document, unless another one was sent meanwhile. */
export const forgetWaitingFile = (
  database: Database,
  { reference, sha256 }: { reference: string; sha256: string },
) => database.delete(feedFiles).where(and(eq(feedFiles.reference, reference), eq(feedFiles.sha256, sha256)));
