import { sql } from 'drizzle-orm';
import type { AuditedBy } from '../../../platform/audit/audit-entry.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Connection, Database, Transaction } from '../../../platform/database.ts';
import { runTransaction } from '../../../platform/run-transaction.ts';
import { type ErasureOrder, eraseCase, eraseClient, reasonOfDatabase } from '../erasure/erase.ts';
import { obstaclesOf, readCases } from '../erasure/plan-erasure.ts';

/** A case or client whose retention period has ended. */
export interface DueSubject {
  kind: 'case' | 'client';
  id: string;
  reference: string;
  /** When its retention ended. */
  since: Date;
  /** Whether the rules of all its kinds delete. Otherwise it is only listed. */
  deletes: boolean;
}

/** The most cases, and the most clients, that one run erases. The next run continues. */
const maxOfRun = 500;

/** When the client of the row `c` last signed in or changed: their retention is counted from then. */
export const lastActivityAt = `greatest(c.created_at, c.updated_at, c.feed_sent_at, (
  select max(created_at) from sessions where client_id = c.id))`;

/** Whether the row `rule` is the rule for clients without cases, and applies to the client of the row `c`. */
export const isWithoutCases = sql`(c.erased_at is null and rule.kind = 'clients_without_cases'
  and not exists (select from case_clients where client_id = c.id) and not is_client_referenced(c.id))`;

/**
 * Finds the cases and clients that are due, oldest first, including those under a legal hold, which are not erased.
 * @param id only this case or client
 */
export async function findDue(
  connection: Connection,
  now: Date,
  id: string | null = null,
): Promise<DueSubject[]> {
  const at = sql`${now.toISOString()}::timestamptz`;
  const isWanted = sql`(${id}::uuid is null or c.id = ${id}::uuid)`;
  const { rows } = await connection.execute<Omit<DueSubject, 'since'> & { since: string }>(sql`
    (select 'case' as kind, id, reference, to_json(case_retained_until(c)) #>> '{}' as since,
      (select bool_and(deletes) from retention_rules where kind = any(case_retention_kinds(c))) as deletes
    from conveyancing_cases c where closed_at is not null and case_retained_until(c) <= ${at} and ${isWanted}
    order by closed_at)
    union all
    (select 'client', c.id, c.reference, to_json(last_known + make_interval(months => rule.months)) #>> '{}', rule.deletes
    from retention_rules rule cross join clients c
    cross join lateral (select ${sql.raw(lastActivityAt)} as last_known) activity
    where last_known + make_interval(months => rule.months) <= ${at} and ${isWanted} and ${isWithoutCases}
    order by last_known)`);
  return rows.map((row) => ({ ...row, since: new Date(row.since) }));
}

/**
 * Erases what is due under rules that delete, each in a transaction, so that an interrupted run keeps what it has done.
 * @param limit how many cases and how many clients it erases; what is kept does not count
 * @returns what was erased, and what could not be, with the reasons
 */
export async function eraseDue(
  { database, clock }: { database: Database; clock: Clock },
  by: AuditedBy,
  limit = maxOfRun,
): Promise<{ erased: DueSubject[]; kept: { subject: DueSubject; reasons: string[] }[] }> {
  const erased: DueSubject[] = [];
  const kept: { subject: DueSubject; reasons: string[] }[] = [];
  const remaining = { case: limit, client: limit };
  for (const subject of await findDue(database, clock())) {
    if (!subject.deletes || remaining[subject.kind] === 0) continue;
    const order = { at: clock(), by, basis: 'retention', earlyReason: null } as const;
    const reasons = await runTransaction(database, (transaction) =>
      eraseOne(transaction, subject, order),
    ).catch(reasonOfDatabase);
    if (reasons.length > 0) {
      kept.push({ subject, reasons });
      continue;
    }
    remaining[subject.kind] -= 1;
    erased.push(subject);
  }
  return { erased, kept };
}

/** @returns why it was not erased; empty if it was */
async function eraseOne(
  transaction: Transaction,
  { kind, id }: DueSubject,
  order: ErasureOrder,
): Promise<string[]> {
  const table = sql.raw(kind === 'case' ? 'conveyancing_cases' : 'clients');
  await transaction.execute(sql`select from ${table} where id = ${id}::uuid for update`);
  // A client may have signed in, a case been opened again and a rule been changed since the list was made.
  const [due] = await findDue(transaction, order.at, id);
  if (!due?.deletes) return ['It is not due any more'];
  const obstacles =
    kind === 'case'
      ? (await readCases(transaction, sql`c.id = ${id}::uuid`, { lock: true })).flatMap(obstaclesOf)
      : await findHold(transaction, id);
  if (obstacles.length > 0) return obstacles;
  await (kind === 'case' ? eraseCase : eraseClient)(transaction, id, order);
  return [];
}

async function findHold(transaction: Transaction, clientId: string): Promise<string[]> {
  const { rows } = await transaction.execute<{ reason: string }>(
    sql`select reason from legal_holds where subject_id = ${clientId}::uuid and released_at is null`,
  );
  return rows.map(({ reason }) => `It is under a legal hold: ${reason}`);
}
