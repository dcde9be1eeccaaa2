import { type WithdrawalReason, withdrawalReasons } from '@keyturn/contract/staff';
import { formatDayAndTime } from '@keyturn/format/london-time';
import { sql } from 'drizzle-orm';
import type { AuditedBy } from '../../platform/audit/audit-entry.ts';
import { recordAudit } from '../../platform/audit/record-audit.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Connection, Database, Transaction } from '../../platform/database.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { defineJob, type Job, type JobHandler } from '../../platform/jobs.ts';
import type { Mail, Mailer } from '../../platform/mailer.ts';

export interface WithdrawnDocument {
  caseId: string;
  title: string;
  /** Each client who has opened the document or was sent its file, with the first time. */
  seenBy: { clientId: string; name: string; at: Date }[];
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
    await transaction.execute(
      sql`update tasks set status = 'done', updated_at = now() where document_id = ${documentId} and status = 'open'`,
    );
  }
  for (const { clientId } of seenBy)
    await reportJobs[reason].add(transaction, { documentId, clientId, at: at.toISOString() });
  await recordAudit(transaction, {
    ...by,
    occurredAt: at,
    action: 'document.withdrawn',
    subject: { kind: 'document', id: reference },
    after: { reason, seen_by: seenBy.length },
  });
  return { caseId, title, seenBy };
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

async function findSeenBy(connection: Connection, documentId: string): Promise<WithdrawnDocument['seenBy']> {
  const { rows } = await connection.execute<{ client_id: string; name: string; at: string | Date }>(sql`
    select c.id as client_id, c.first_name || ' ' || c.last_name as name, min(seen.at) as at
    from (${seenTimes(sql`${documentId}`)}) seen join clients c on c.id = seen.client_id
    group by c.id order by min(seen.at), c.id`);
  return rows.map(({ client_id, name, at }) => ({ clientId: client_id, name, at: new Date(at) }));
}

/** Writes when each client opened a document or was sent its file. */
const seenTimes = (documentId: ReturnType<typeof sql>) => sql`
  select client_id, read_at as at from document_reads where document_id = ${documentId}
  union all select client_id, delivered_at from document_deliveries where document_id = ${documentId}`;

interface Report {
  documentId: string;
  clientId: string;
  /** When the member withdrew the document or reported malware in it; missing in jobs of the last release. */
  at?: string;
}

/** Separate, because a server of the last release sends the email about a mistake only. */
const reportJobs: Record<WithdrawalReason, Job<Report>> = {
  mistake: defineJob('report-withdrawn-document'),
  malware: defineJob('report-malware-in-document'),
};

type ReportText = (about: { firstName: string; opened: string }) => Pick<Mail, 'subject' | 'paragraphs'>;

const reportTexts: Record<WithdrawalReason, ReportText> = {
  mistake: ({ firstName, opened }) => ({
    subject: 'Please delete a document that we shared by mistake',
    paragraphs: [
      `Hello ${firstName},`,
      `${opened} that we had shared with you by mistake. We have removed it, and it can no longer be opened.`,
      'It may contain information about someone else. Please delete any copy that you have downloaded or printed, and don’t pass it on.',
      'We’re sorry about this. If you have already passed it on, or have any questions, please call us on a number you already have.',
    ],
  }),
  malware: ({ firstName, opened }) => ({
    subject: 'Please delete a document whose file may contain a virus',
    paragraphs: [
      `Hello ${firstName},`,
      `${opened}. We have since found that its file may contain a virus. We have removed it, and it can no longer be opened.`,
      'Please delete any copy that you have downloaded, without opening it, and check the device you opened it on with antivirus software. If you have passed it on, please ask that person to do the same.',
      'We’re sorry about this. If you have any questions, please call us on a number you already have.',
    ],
  }),
};

/** Ask clients who have seen a withdrawn document to delete their copies. */
export const withdrawnDocumentHandlers = (dependencies: {
  database: Database;
  mailer: Mailer;
}): JobHandler[] =>
  withdrawalReasons.map((reason) =>
    reportJobs[reason].handledBy((report) => sendReport(dependencies, reason, report)),
  );

async function sendReport(
  { database, mailer }: { database: Database; mailer: Mailer },
  reason: WithdrawalReason,
  { documentId, clientId, at }: Report,
): Promise<void> {
  const { rows } = await database.execute<{
    first_name: string;
    last_name: string;
    email: string;
    withdrawn_at: string | Date;
  }>(sql`
    select c.first_name, c.last_name, c.email, d.withdrawn_at
    from documents d cross join clients c
    where d.id = ${documentId} and c.id = ${clientId} and c.erased_at is null`);
  const [client] = rows;
  const seen = (await findSeenBy(database, documentId)).find((by) => by.clientId === clientId);
  if (!client || !seen) return;
  await mailer.send({
    to: { name: `${client.first_name} ${client.last_name}`, address: client.email },
    ...reportTexts[reason]({
      firstName: client.first_name,
      opened: `On ${formatDayAndTime(seen.at)} you opened a document in your case`,
    }),
    identity: {
      name: `${reason === 'malware' ? 'malware' : 'withdrawn'}-${documentId}-${clientId}`,
      at: new Date(at ?? client.withdrawn_at),
    },
  });
}

/**
 * Records that a client is sent the file of a document, before it is sent.
 * @throws DomainError `not_found` if the document was withdrawn meanwhile
 */
export async function recordDelivery(
  { database, clock }: { database: Connection; clock: Clock },
  { documentId, clientId }: { documentId: string; clientId: string },
): Promise<void> {
  const { rows } = await database.execute<{ is_shared: boolean }>(sql`
    with shared as (select id from documents where id = ${documentId} and withdrawn_at is null for share),
      added as (insert into document_deliveries (document_id, client_id, delivered_at)
        select id, ${clientId}, ${clock().toISOString()}::timestamptz from shared on conflict do nothing)
    select exists (select from shared) as is_shared`);
  if (!rows[0]?.is_shared) throw new DomainError('not_found');
}
