import { hash } from 'node:crypto';
import { lt, sql } from 'drizzle-orm';
import type { Transaction } from '../../../platform/database.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import { feedFiles } from '../../../platform/tables/feed-key-tables.ts';
import { deskPrefix } from '../desk-references.ts';
import type { FeedFiles } from '../ports.ts';
import type { FeedFile } from './read-document.ts';

/**
 * Stores a file that waits for the record of its document, for 24 hours.
 * @returns its SHA-256, in hex
 * @throws DomainError `feed_not_possible` if too many files wait
 */
export async function keepWaitingFile(
  transaction: Transaction,
  files: FeedFiles,
  {
    reference,
    content,
    mediaType,
    sentAt,
  }: { reference: string; content: Buffer; mediaType: FeedFile['mediaType']; sentAt: Date },
): Promise<string> {
  await transaction.delete(feedFiles).where(lt(feedFiles.sentAt, new Date(sentAt.getTime() - keptFor)));
  // Files from the desk and from feeds have separate limits, so that neither blocks the other.
  const isOfDesk = sql`starts_with(${feedFiles.reference}, ${deskPrefix})`;
  const [waiting] = await transaction
    .select({ files: sql<number>`count(*)::int` })
    .from(feedFiles)
    .where(sql`${isOfDesk} = ${reference.startsWith(deskPrefix)}`);
  if ((waiting?.files ?? 0) >= maxWaiting) {
    throw new DomainError('feed_not_possible', {
      message: `${maxWaiting} files wait for the records of their documents. Send these records first.`,
    });
  }
  await files.put(content);
  const sha256 = hash('sha256', content);
  const sent = { sha256, size: content.length, mediaType, sentAt };
  await transaction
    .insert(feedFiles)
    .values({ reference, ...sent })
    .onConflictDoUpdate({ target: feedFiles.reference, set: sent });
  return sha256;
}

/** Milliseconds. */
const keptFor = 24 * 3_600_000;
const maxWaiting = 1_000;
