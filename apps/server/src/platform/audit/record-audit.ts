import { eq, sql } from 'drizzle-orm';
import { clients } from '../../schema/tables/tables.ts';
import { commandUser } from '../commands/command-user.ts';
import type { Connection } from '../database.ts';
import { newId } from '../ids.ts';
import { type AuditActor, type AuditEntry, type AuditedBy, hashAuditEntry } from './audit-entry.ts';

export type NewAuditEntry = Pick<AuditEntry, 'occurredAt' | 'actor' | 'action' | 'subject'> &
  Partial<Pick<AuditEntry, 'address' | 'before' | 'after'>>;

/**
 * Adds an entry to the audit log. The database links it to the former entry when the transaction commits, so an entry of
 * a transaction that is rolled back never existed.
 * @param connection the transaction that makes the audited change
 */
export const recordAudit = (connection: Connection, sent: NewAuditEntry): Promise<void> =>
  recordAudits(connection, [sent]);

/**
 * Adds entries to the audit log, in their order. They are sent as one JSON value, because an import adds a thousand
 * at a time, which would otherwise be 12,000 parameters.
 */
export async function recordAudits(connection: Connection, sent: readonly NewAuditEntry[]): Promise<void> {
  if (sent.length === 0) return;
  const rows = JSON.stringify(sent.map(rowOf));
  await connection.execute(
    sql`insert into audit_entries select * from json_populate_recordset(null::audit_entries, ${rows}::json)`,
  );
}

function rowOf(sent: NewAuditEntry) {
  const entry: AuditEntry = { address: null, before: null, after: null, ...sent, id: newId() };
  const { actor, subject, occurredAt, ...row } = entry;
  return {
    ...row,
    occurred_at: occurredAt.toISOString(),
    actor_kind: actor.kind,
    actor_id: actor.id,
    actor_name: actor.name,
    subject_kind: subject.kind,
    subject_id: subject.id,
    content_hash: `\\x${hashAuditEntry(entry).toString('hex')}`,
  };
}

/** The user of the operating system who runs a command. */
export const commandLineActor = (): AuditActor => ({
  kind: 'command_line',
  id: null,
  name: commandUser(),
});

/** Returns a staff member as the actor of an audited change. */
export const staffActor = ({ id, name, email }: { id: string; name: string | null; email: string }) =>
  ({ kind: 'staff', id, name: name ?? email }) satisfies AuditActor;

/** Returns the caller of the staff API, who makes an audited change. */
export const byStaff = ({ staff, address }: { staff: Parameters<typeof staffActor>[0]; address: string }) =>
  ({ actor: staffActor(staff), address }) satisfies AuditedBy;

/** Reads the name of a client who is about to be audited. */
export async function findClientActor(connection: Connection, clientId: string): Promise<AuditActor> {
  const [client] = await connection
    .select({ firstName: clients.firstName, lastName: clients.lastName })
    .from(clients)
    .where(eq(clients.id, clientId));
  return { kind: 'client', id: clientId, name: client ? `${client.firstName} ${client.lastName}` : '' };
}
