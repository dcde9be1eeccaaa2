import { sql } from 'drizzle-orm';
import type { AuditAction } from '../../../platform/audit/audit-entry.ts';
import { recordAudit } from '../../../platform/audit/record-audit.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Database, Transaction } from '../../../platform/database.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import { isId } from '../../../platform/ids.ts';
import { notPossible } from './edit-record.ts';
import type { ClientAccess, EditRequest } from './ports.ts';

export interface AccessDependencies {
  database: Database;
  clock: Clock;
  access: ClientAccess;
}

/**
 * Mails a client who has no password another invitation to choose one.
 * @throws DomainError `not_found`, `edit_not_possible`, `unauthenticated`
 */
export const inviteClient = (dependencies: AccessDependencies, request: EditRequest, id: string) =>
  changeAccess(dependencies, request, { id, action: 'client.invited' }, async (transaction, client) => {
    if (client.isActivated)
      throw notPossible('This client has chosen a password. Send a link to choose a new one instead.');
    await sendLink(dependencies, transaction, client, 'invitation');
  });

/** Mails a client a link to choose a new password. @throws DomainError as `inviteClient` */
export const sendPasswordLink = (dependencies: AccessDependencies, request: EditRequest, id: string) =>
  changeAccess(
    dependencies,
    request,
    { id, action: 'client.password_link_sent' },
    async (transaction, client) => {
      if (!client.isActivated)
        throw notPossible('This client has no password yet. Send an invitation instead.');
      await sendLink(dependencies, transaction, client, 'new_password');
    },
  );

/** Signs a client out everywhere. @throws DomainError `not_found`, `unauthenticated` */
export const endClientSessions = (dependencies: AccessDependencies, request: EditRequest, id: string) =>
  changeAccess(dependencies, request, { id, action: 'client.sessions_ended' }, (transaction) =>
    dependencies.access.endSessions(transaction, id),
  );

interface ClientOfDesk {
  email: string;
  isActivated: boolean;
  /** Links that were mailed within the last hour. */
  recentLinks: number;
}

/** Changes and audits the access of a client in one transaction. */
async function changeAccess(
  { database, clock }: AccessDependencies,
  { actor, address, mayEdit }: EditRequest,
  { id, action }: { id: string; action: AuditAction },
  work: (transaction: Transaction, client: ClientOfDesk) => Promise<void>,
): Promise<void> {
  if (!isId(id)) throw new DomainError('not_found');
  const occurredAt = clock();
  await database.transaction(async (transaction) => {
    if (!(await mayEdit(transaction))) throw new DomainError('unauthenticated');
    const hourAgo = new Date(occurredAt.getTime() - 3_600_000).toISOString();
    const { rows } = await transaction.execute<ClientOfDesk & Record<string, unknown>>(sql`
      select email, password_hash is not null as "isActivated", (
          select count(*)::int from password_links where client_id = clients.id and created_at > ${hourAgo}::timestamptz
        ) as "recentLinks"
      from clients where id = ${id} for update`);
    const [client] = rows;
    if (!client) throw new DomainError('not_found');
    await work(transaction, client);
    await recordAudit(transaction, { occurredAt, actor, action, subject: { kind: 'client', id }, address });
  });
}

/** Further links are not mailed, because they would flood the client’s inbox. */
const maxLinksPerHour = 5;

async function sendLink(
  { access }: AccessDependencies,
  transaction: Transaction,
  { email, recentLinks }: ClientOfDesk,
  purpose: 'invitation' | 'new_password',
): Promise<void> {
  if (recentLinks >= maxLinksPerHour)
    throw notPossible(
      `This client got ${maxLinksPerHour} links in the last hour. Ask them to look in their inbox, or try again later.`,
    );
  await access.sendPasswordLink(transaction, email, purpose);
}
