import { type RetentionKind, retentionKinds } from '@keyturn/contract/staff';
import { sql } from 'drizzle-orm';
import type { AuditedBy } from '../../../platform/audit/audit-entry.ts';
import { recordAudit } from '../../../platform/audit/record-audit.ts';
import type { Connection, Transaction } from '../../../platform/database.ts';

export interface RetentionRule {
  kind: RetentionKind;
  months: number;
  /** Whether the daily job deletes what is due. */
  deletes: boolean;
  changedBy: string | null;
}

/** Reads the rules, in the order of the kinds. */
export async function readRules(connection: Connection): Promise<RetentionRule[]> {
  const { rows } = await connection.execute<RetentionRule & { [column: string]: unknown }>(
    sql`select kind, months, deletes, changed_by as "changedBy" from retention_rules`,
  );
  return rows.sort((one, other) => retentionKinds.indexOf(one.kind) - retentionKinds.indexOf(other.kind));
}

/** Changes a rule; null leaves a value unchanged. */
export async function changeRule(
  transaction: Transaction,
  { kind, months, deletes }: { kind: RetentionKind; months: number | null; deletes: boolean | null },
  { at, by }: { at: Date; by: AuditedBy },
): Promise<void> {
  const { rows: former } = await transaction.execute<{ months: number; deletes: boolean }>(
    sql`select months, deletes from retention_rules where kind = ${kind} for update`,
  );
  const { rows: changed } = await transaction.execute<{ months: number; deletes: boolean }>(sql`
    update retention_rules set months = coalesce(${months}::int, months),
      deletes = coalesce(${deletes}::boolean, deletes), changed_at = ${at.toISOString()}::timestamptz,
      changed_by = ${by.actor.name}
    where kind = ${kind} returning months, deletes`);
  await recordAudit(transaction, {
    occurredAt: at,
    ...by,
    action: 'installation.retention_changed',
    subject: { kind: 'installation', id: kind },
    before: former[0] ?? null,
    after: changed[0] ?? null,
  });
}
