import type { FeedList } from '@keyturn/contract';
import { readRecords } from '../../case-file/records/read-records.ts';
import { recordDefinitions } from '../../case-file/records/record-definitions.ts';
import type { AuditAction, AuditEntry } from '../../platform/audit/audit-entry.ts';
import { recordAuditOncePerDay } from '../../platform/audit/record-audit-once-per-day.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Connection, Database } from '../../platform/database.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { runTransaction } from '../../platform/run-transaction.ts';
import type { Sender } from './send-records.ts';

/**
 * Reads a record in the format in which the feed sends it. Audited, because it is personal data.
 * @throws DomainError `not_found`
 */
export async function readRecord(
  { database, clock }: { database: Database; clock: Clock },
  reader: Sender,
  { kind, reference }: { kind: FeedList; reference: string },
): Promise<object> {
  return runTransaction(database, async (transaction) => {
    const found = (await readRecords(transaction, kind, [reference])).get(reference);
    if (!found) throw new DomainError('not_found');
    const subject = { kind: recordDefinitions[kind].auditedAs, id: reference };
    await auditRead(transaction, reader, { action: 'feed.record_read', subject, now: clock() });
    return found.record;
  });
}

/** Audits a key's read, once in 24 hours for each record and address. */
export const auditRead = (
  connection: Connection,
  { caller: { id, name }, address }: Sender,
  { action, subject, now }: { action: AuditAction; subject: AuditEntry['subject']; now: Date },
): Promise<void> =>
  recordAuditOncePerDay(
    connection,
    { occurredAt: now, actor: { kind: 'feed_key', id, name }, action, subject, address },
    { forEachAddress: true },
  );
