import { eq } from 'drizzle-orm';
import { commandUser } from '../command-user.ts';
import type { Connection } from '../database.ts';
import { newId } from '../ids.ts';
import { auditEntries } from '../tables/audit-tables.ts';
import { clients } from '../tables/tables.ts';
import { type AuditActor, type AuditEntry, hashAuditEntry } from './audit-entry.ts';

export type NewAuditEntry = Pick<AuditEntry, 'occurredAt' | 'actor' | 'action' | 'subject'> &
  Partial<Pick<AuditEntry, 'address' | 'before' | 'after'>>;

/**
 * Adds an entry to the audit log. The database links it to the former entry when the transaction commits, so an entry of
 * a transaction that is rolled back never existed.
 * @param connection the transaction that makes the audited change
 */
export async function recordAudit(connection: Connection, sent: NewAuditEntry): Promise<void> {
  const entry: AuditEntry = { address: null, before: null, after: null, ...sent, id: newId() };
  const { actor, subject, ...row } = entry;
  await connection.insert(auditEntries).values({
    ...row,
    actorKind: actor.kind,
    actorId: actor.id,
    actorName: actor.name,
    subjectKind: subject.kind,
    subjectId: subject.id,
    contentHash: hashAuditEntry(entry),
  });
}

/** The user of the operating system who runs a command. */
export const commandLineActor = (): AuditActor => ({
  kind: 'command_line',
  id: null,
  name: commandUser(),
});

/** Reads the name of a client who is about to be audited. */
export async function findClientActor(connection: Connection, clientId: string): Promise<AuditActor> {
  const [client] = await connection
    .select({ firstName: clients.firstName, lastName: clients.lastName })
    .from(clients)
    .where(eq(clients.id, clientId));
  return { kind: 'client', id: clientId, name: client ? `${client.firstName} ${client.lastName}` : '' };
}
