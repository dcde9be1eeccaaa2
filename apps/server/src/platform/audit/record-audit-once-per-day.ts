import { sql } from 'drizzle-orm';
import type { Connection } from '../database.ts';
import { type NewAuditEntry, recordAudit } from './record-audit.ts';

/**
 * Audits a read, once in 24 hours for each reader, action and subject, because polling would otherwise fill the log,
 * from which nothing is ever deleted.
 * @param connection a transaction, because requests at the same time wait for each other
 * @param options.forEachAddress whether the same reader is audited again from another address
 */
export async function recordAuditOncePerDay(
  connection: Connection,
  entry: NewAuditEntry,
  { forEachAddress = false }: { forEachAddress?: boolean } = {},
): Promise<void> {
  if (await isAudited(connection, entry, forEachAddress)) return;
  const { actor, action, subject } = entry;
  await connection.execute(
    sql`select pg_advisory_xact_lock(hashtextextended(${JSON.stringify([actor.id, action, subject.id])}, 0))`,
  );
  if (await isAudited(connection, entry, forEachAddress)) return;
  await recordAudit(connection, entry);
}

async function isAudited(
  connection: Connection,
  { actor, action, subject, address, occurredAt }: NewAuditEntry,
  forEachAddress: boolean,
): Promise<boolean> {
  const { rows } = await connection.execute(sql`
    select from audit_entries where subject_id = ${subject.id} and subject_kind = ${subject.kind}
      and occurred_at > ${new Date(occurredAt.getTime() - auditedEvery).toISOString()}::timestamptz
      and actor_id = ${actor.id} and action = ${action}
      ${forEachAddress ? sql`and address = ${address}` : sql``} limit 1`);
  return rows.length > 0;
}

/** Milliseconds. */
const auditedEvery = 86_400_000;
