import type { AuditAction, AuditValues } from '../platform/audit/audit-entry.ts';
import { recordAudit } from '../platform/audit/record-audit.ts';
import type { AccountKind } from '../platform/credentials/account-kind.ts';
import type { Connection } from '../platform/database.ts';

/** What a client or a member of staff does with their own account. */
export type OwnAction = Extract<AuditAction, `${AccountKind}.${string}`>;

/** The owner of an account at the moment of the change. */
interface AuditedOwner {
  id: string;
  /** Null for a member of staff who has not chosen a name yet. */
  name: string | null;
  email: string;
  /** IP address. */
  address: string;
  now: Date;
}

/** Audits what a client or a member of staff did with their own account. */
export function recordOwnAudit(
  connection: Connection,
  action: OwnAction,
  { id, name, email, address, now }: AuditedOwner,
  values: { before?: AuditValues; after?: AuditValues } = {},
): Promise<void> {
  const kind = action.startsWith('client.') ? 'client' : 'staff';
  return recordAudit(connection, {
    occurredAt: now,
    actor: { kind, id, name: name ?? email },
    action,
    subject: { kind, id },
    address,
    ...values,
  });
}
