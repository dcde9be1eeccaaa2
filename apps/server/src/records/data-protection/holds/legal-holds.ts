import { sql } from 'drizzle-orm';
import type { AuditedBy } from '../../../platform/audit/audit-entry.ts';
import { recordAudit } from '../../../platform/audit/record-audit.ts';
import type { Connection, Transaction } from '../../../platform/database.ts';
import { findClientByEmail } from '../../../platform/reads/find-client-by-email.ts';

/** The subject of a legal hold: a case, or a client with all their cases. */
export interface HeldSubject {
  kind: 'case' | 'client';
  id: string;
}

export interface LegalHold extends HeldSubject {
  /** The firm’s reference. */
  reference: string;
  reason: string;
  placedAt: Date;
  placedBy: string;
}

/**
 * Places a legal hold: no erasure and no retention rule deletes the subject until it is released. Waits for an erasure
 * that is under way.
 * @returns false if the subject does not exist, or is under a hold already
 */
export async function placeHold(
  transaction: Transaction,
  { kind, id }: HeldSubject,
  { reason, at, by }: { reason: string; at: Date; by: AuditedBy },
): Promise<boolean> {
  const { rowCount: found } = await transaction.execute(
    sql`select from ${tableOf(kind)} where id = ${id}::uuid for update`,
  );
  if (found === 0) return false;
  // It protects the cases of a client too, so an erasure of one of them is waited for.
  if (kind === 'client')
    await transaction.execute(sql`
      select from conveyancing_cases where id in (
        select case_id from case_clients where client_id = ${id}::uuid) order by id for update`);
  const { rowCount } = await transaction.execute(sql`
    insert into legal_holds (subject_kind, subject_id, reason, placed_at, placed_by)
    values (${kind}, ${id}::uuid, ${reason}, ${at.toISOString()}::timestamptz, ${by.actor.name})
    on conflict (subject_kind, subject_id) where released_at is null do nothing`);
  if (rowCount === 0) return false;
  await recordAudit(transaction, {
    occurredAt: at,
    ...by,
    action: `${kind}.hold_placed`,
    subject: { kind, id },
  });
  return true;
}

/** Releases a legal hold. @param order.reason null if none is given @returns false if there is no hold */
export async function releaseHold(
  transaction: Transaction,
  { kind, id }: HeldSubject,
  { reason, at, by }: { reason: string | null; at: Date; by: AuditedBy },
): Promise<boolean> {
  const { rowCount } = await transaction.execute(sql`
    update legal_holds set released_at = ${at.toISOString()}::timestamptz, released_by = ${by.actor.name},
      release_reason = ${reason}
    where subject_kind = ${kind} and subject_id = ${id}::uuid and released_at is null`);
  if (rowCount === 0) return false;
  await recordAudit(transaction, {
    occurredAt: at,
    ...by,
    action: `${kind}.hold_released`,
    subject: { kind, id },
  });
  return true;
}

/** Lists the legal holds that are not released, oldest first. */
export async function listHolds(connection: Connection): Promise<LegalHold[]> {
  const { rows } = await connection.execute<
    Omit<LegalHold, 'placedAt'> & { placedAt: string; [key: string]: unknown }
  >(sql`
    select subject_kind as kind, subject_id as id, reason, placed_by as "placedBy",
      to_json(placed_at) #>> '{}' as "placedAt", coalesce(c.reference, p.reference) as reference
    from legal_holds h
    left join conveyancing_cases c on subject_kind = 'case' and c.id = subject_id
    left join clients p on subject_kind = 'client' and p.id = subject_id
    where released_at is null order by h.id`);
  return rows.map((row) => ({ ...row, placedAt: new Date(row.placedAt) }));
}

/** Finds a case by its reference, or a client by their email address. */
export async function findSubject(
  connection: Connection,
  kind: HeldSubject['kind'],
  name: string,
): Promise<HeldSubject | null> {
  if (kind === 'client') {
    const client = await findClientByEmail(connection, name);
    return client ? { kind, id: client.id } : null;
  }
  const { rows } = await connection.execute<{ id: string }>(
    sql`select id from conveyancing_cases where reference = ${name}`,
  );
  return rows[0] ? { kind, id: rows[0].id } : null;
}

const tableOf = (kind: HeldSubject['kind']) => sql.raw(kind === 'case' ? 'conveyancing_cases' : 'clients');
