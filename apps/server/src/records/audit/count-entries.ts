import { desc } from 'drizzle-orm';
import type { Connection } from '../../platform/database.ts';
import { auditLinks } from '../../schema/tables/audit-tables.ts';

/** Counts the entries of the audit log by the last position, because positions have no gaps. */
export async function countAuditEntries(connection: Connection) {
  const [last] = await connection
    .select({ position: auditLinks.position })
    .from(auditLinks)
    .orderBy(desc(auditLinks.position))
    .limit(1);
  return [{ labels: {}, value: last?.position ?? 0 }];
}
