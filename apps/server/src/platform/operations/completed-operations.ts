import { sql } from 'drizzle-orm';
import type { Connection } from '../database.ts';

/** An operation that has to happen regularly. */
export type Operation = 'backup' | 'audit_verification' | 'audit_archive';

/** An entry of the audit log. */
export interface AuditHead {
  position: number;
  /** In hex. */
  hash: string;
}

/**
 * Records that an operation succeeded.
 * @param head how far it read the audit log
 */
export async function recordOperation(
  connection: Connection,
  { operation, at, head = null }: { operation: Operation; at: Date; head?: AuditHead | null },
): Promise<void> {
  await connection.execute(sql`
    insert into completed_operations (operation, completed_at, position, hash)
    values (${operation}, ${at.toISOString()}, ${head?.position ?? null}, decode(${head?.hash ?? null}::text, 'hex'))
    on conflict (operation) do update
      set completed_at = excluded.completed_at, position = excluded.position, hash = excluded.hash`);
}

/** Finds how far an operation last read the audit log; null if it has not. */
export async function findAuditHead(connection: Connection, operation: Operation): Promise<AuditHead | null> {
  const { rows } = await connection.execute<{ position: string; hash: string }>(sql`
    select position, encode(hash, 'hex') as hash from completed_operations
    where operation = ${operation} and position is not null`);
  const [found] = rows;
  return found ? { position: Number(found.position), hash: found.hash } : null;
}

/** Measures the seconds since operations last succeeded; those that never have are left out. */
export async function measureOperationAges(connection: Connection, operations: readonly Operation[]) {
  const { rows } = await connection.execute<{ operation: string; age: number }>(sql`
    select operation, extract(epoch from now() - completed_at)::float8 as age from completed_operations
    where operation = any(${sql.param(operations)})`);
  return rows.map(({ operation, age }) => ({ labels: { operation }, value: age }));
}
