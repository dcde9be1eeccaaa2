import type { AuditAction, AuditValues } from '../../../platform/audit/audit-entry.ts';
import { recordAudit } from '../../../platform/audit/record-audit.ts';
import type { Connection } from '../../../platform/database.ts';

/** Audits what a client did with their own account. */
export const recordOwnAudit = (
  connection: Connection,
  action: AuditAction,
  { id, name, address, now }: { id: string; name: string | null; address: string; now: Date },
  values: { before?: AuditValues; after?: AuditValues } = {},
): Promise<void> =>
  recordAudit(connection, {
    occurredAt: now,
    actor: { kind: 'client', id, name: name ?? '' },
    action,
    subject: { kind: 'client', id },
    address,
    ...values,
  });
