import type { WithdrawalReason } from '@keyturn/contract/staff';
import { sql } from 'drizzle-orm';
import type { AuditedBy } from '../../platform/audit/audit-entry.ts';
import { recordAudit } from '../../platform/audit/record-audit.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Connection, Transaction } from '../../platform/database.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { completeTasks } from '../tasks/complete-tasks.ts';
import { findSeenBy, type SeenBy } from './find-seen-by.ts';
import { queueWithdrawalMail } from './withdrawn-document-mail.ts';

export interface WithdrawnDocument {
  caseId: string;
  title: string;
  /** Each client who has opened the document or was sent its file, with the first time. */
  seenBy: SeenBy[];
}

/**
 * Withdraws a document that should not have been shared: from the end of the transaction on, no client can open it, its
 * tasks are done, and each client who has seen it is asked by email to delete their copies. A second call changes nothing,
 * unless malware has been found since: then the clients who have seen the document are warned of it.
 * @throws DomainError `not_found`; `edit_not_possible` for a signed document
 */
export async function withdrawDocument(
  transaction: Transaction,
  { documentId, reason, at, by }: { documentId: string; reason: WithdrawalReason; at: Date; by: AuditedBy },
): Promise<WithdrawnDocument> {
  const { rows } = await transaction.execute<{
    reference: string;
    title: string;
    case_id: string;
    is_withdrawn: boolean;
    is_malware_reported: boolean;
  }>(sql`
    select d.reference, d.title, m.case_id, d.withdrawn_at is not null as is_withdrawn,
      ${isMalwareReported} as is_malware_reported
    from documents d join matters m on m.id = d.matter_id where d.id = ${documentId} for update of d`);
  const [found] = rows;
  if (!found) throw new DomainError('not_found');
  const { reference, title, case_id: caseId } = found;
  const seenBy = await findSeenBy(transaction, documentId);
  if (found.is_withdrawn && (reason === 'mistake' || found.is_malware_reported))
    return { caseId, title, seenBy };
  if (!found.is_withdrawn) {
    await assertUnsigned(transaction, documentId);
    const now = sql`${at.toISOString()}::timestamptz`;
    await transaction.execute(
      sql`update documents set withdrawn_at = ${now}, updated_at = now() where id = ${documentId}`,
    );
    await transaction.execute(completeTasks(sql`document_id = ${documentId}`));
  }
  for (const { clientId } of seenBy)
    await queueWithdrawalMail(transaction, reason, { documentId, clientId, at });
  await recordAudit(transaction, {
    ...by,
    occurredAt: at,
    action: 'document.withdrawn',
    subject: { kind: 'document', id: reference },
    after: { reason, seen_by: seenBy.length },
  });
  return { caseId, title, seenBy };
}

/**
 * Withdraws the result of a search that was not checked and that no client has seen, because another file takes its place. As an
 * earlier version, clients would see it once the search is reviewed.
 * @returns whether it was withdrawn
 */
export async function withdrawUnchecked(
  transaction: Transaction,
  document: { reference: string } | { id: string },
  withdrawal: { at: Date; by: AuditedBy },
): Promise<boolean> {
  const isDocument = 'id' in document ? sql`id = ${document.id}` : sql`reference = ${document.reference}`;
  const { rows } = await transaction.execute<{ id: string }>(
    sql`select id from documents where ${isDocument} and awaits_check(documents)`,
  );
  const [found] = rows;
  if (!found || (await findSeenBy(transaction, found.id)).length > 0) return false;
  await withdrawDocument(transaction, { documentId: found.id, reason: 'mistake', ...withdrawal });
  return true;
}

/** Whether the clients who have seen the document of the row `d` were warned of malware in it. */
export const isMalwareReported = sql`exists (
  select from audit_entries where subject_id = d.reference and subject_kind = 'document'
    and action = 'document.withdrawn' and after ->> 'reason' = 'malware')`;

/** A signature proves what a client agreed to, which must stay available to them. */
async function assertUnsigned(transaction: Transaction, documentId: string): Promise<void> {
  const { rowCount } = await transaction.execute(
    sql`select from document_signatures where document_id = ${documentId} limit 1`,
  );
  if (rowCount !== 0)
    throw new DomainError('edit_not_possible', {
      message: 'A client has signed this document, so it cannot be withdrawn. Share a new version instead.',
    });
}

/**
 * Records that a client is sent the file of a document, before it is sent.
 * @throws DomainError `not_found` if the client can no longer see the document
 */
export async function recordDelivery(
  { database, clock }: { database: Connection; clock: Clock },
  { documentId, clientId }: { documentId: string; clientId: string },
): Promise<void> {
  const { rows } = await database.execute<{ is_shared: boolean }>(sql`
    with shared as (select id from documents where id = ${documentId} and is_shown_to(documents, ${clientId}) for share),
      added as (insert into document_deliveries (document_id, client_id, delivered_at)
        select id, ${clientId}, ${clock().toISOString()}::timestamptz from shared on conflict do nothing)
    select exists (select from shared) as is_shared`);
  if (!rows[0]?.is_shared) throw new DomainError('not_found');
}
