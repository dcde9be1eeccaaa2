import type { IdentityCheck } from '@keyturn/contract/staff';
import { sql } from 'drizzle-orm';
import type { EditRequest } from '../../case-file/editing/edit-case.ts';
import * as access from '../../people/clients/disable-client.ts';
import { requestPasswordLink } from '../../people/clients/password-link-mail.ts';
import { resetSignIn } from '../../people/clients/reset-sign-in.ts';
import { endSessionsOf } from '../../people/credentials/account-sessions.ts';
import type { AuditAction, AuditValues } from '../../platform/audit/audit-entry.ts';
import { recordAudit } from '../../platform/audit/record-audit.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Transaction } from '../../platform/database.ts';
import { DomainError, notPossible } from '../../platform/domain-error.ts';
import { isId } from '../../platform/ids.ts';
import { runTransaction } from '../../platform/run-transaction.ts';
import { sessions } from '../../schema/tables/tables.ts';

export interface AccessDependencies {
  database: Database;
  clock: Clock;
}

/**
 * Emails a client who has no password another invitation to choose one.
 * @throws DomainError `not_found`, `edit_not_possible`, `firm_data_missing`, `unauthenticated`
 */
export const inviteClient = (dependencies: AccessDependencies, request: EditRequest, id: string) =>
  changeAccess(dependencies, request, { id, action: 'client.invited' }, async (transaction, client) => {
    if (client.isActivated)
      throw notPossible('This client has chosen a password. Send a link to choose a new one instead.');
    await sendLink(transaction, client, 'invitation');
  });

/** Emails a client a link to choose a new password. @throws DomainError as `inviteClient` */
export const sendPasswordLink = (dependencies: AccessDependencies, request: EditRequest, id: string) =>
  changeAccess(
    dependencies,
    request,
    { id, action: 'client.password_link_sent' },
    async (transaction, client) => {
      if (!client.isActivated)
        throw notPossible('This client has no password yet. Send an invitation instead.');
      await sendLink(transaction, client, 'forgotten');
    },
  );

/**
 * Removes everything that a client signs in with, and emails them a link to start again: for a client who has lost it
 * all. The audit log records how the member checked that it was the client who asked.
 * @param sent.email where the link goes: to the client’s address, or to the firm’s one that the client has replaced, which
 *   is restored then
 * @throws DomainError as `inviteClient`; `changed_meanwhile` if the client has neither address any more
 */
export const resetClientSignIn = (
  dependencies: AccessDependencies,
  request: EditRequest,
  id: string,
  { identity_check, email }: { identity_check: IdentityCheck; email: string },
) =>
  changeAccess(
    dependencies,
    request,
    {
      id,
      action: 'client.sign_in_reset',
      after: ({ replacedFeedEmail }) => ({
        identity_check,
        ...(email === replacedFeedEmail ? { address_restored: true } : {}),
      }),
    },
    async (transaction, client) => {
      if (!client.isActivated && client.unrestoredEmail === null)
        throw notPossible('This client has no password yet. Send an invitation instead.');
      assertEnabled(client);
      const restoresAddress = email === client.replacedFeedEmail;
      if (!restoresAddress && email !== client.email) throw new DomainError('changed_meanwhile');
      const sentTo = await resetSignIn(dependencies, transaction, { id, ...client }, { restoresAddress });
      if (sentTo === null)
        throw notPossible(
          restoresAddress
            ? 'Another client now has this address. Please send another one from your system first.'
            : addressInDoubt,
        );
    },
  );

const addressInDoubt =
  'A change to this address was undone, so someone else may read it. Please send another one from your system first.';
const identityInDoubt =
  'A change of this client’s email address was undone, so someone else may read their mail. Please check that it is the client, and reset their sign-in.';

/** Signs a client out everywhere. @throws DomainError `not_found`, `unauthenticated` */
export const endClientSessions = (dependencies: AccessDependencies, request: EditRequest, id: string) =>
  changeAccess(dependencies, request, { id, action: 'client.sessions_ended' }, async (transaction) => {
    await endSessionsOf(transaction, sessions, { ownerId: id, now: dependencies.clock() });
  });

/** Prevents a client from signing in, and signs them out. @throws DomainError as `inviteClient` */
export const disableClientAtDesk = (dependencies: AccessDependencies, request: EditRequest, id: string) =>
  changeAccess(dependencies, request, { id, action: 'client.disabled' }, async (transaction, client) => {
    if (client.isDisabled) throw notPossible('A colleague has disabled this client already.');
    await access.disableClient(transaction, id, dependencies.clock());
  });

/** Lets a disabled client sign in again. @throws DomainError as `inviteClient` */
export const enableClientAtDesk = (dependencies: AccessDependencies, request: EditRequest, id: string) =>
  changeAccess(dependencies, request, { id, action: 'client.enabled' }, async (transaction, client) => {
    if (!client.isDisabled) throw notPossible('This client can sign in already.');
    await access.enableClient(transaction, id, dependencies.clock());
  });

interface ClientOfDesk {
  email: string;
  isActivated: boolean;
  isDisabled: boolean;
  /** The address of the firm’s system, which the client has replaced; null if they have not. */
  replacedFeedEmail: string | null;
  /** The former address of a change that was undone, until the client has proved who they are; null without one. */
  unrestoredEmail: string | null;
  /** Links that were emailed within the last hour. */
  recentLinks: number;
}

/** Changes and audits the access of a client in one transaction. */
async function changeAccess(
  { database, clock }: AccessDependencies,
  { actor, address, mayEdit }: EditRequest,
  { id, action, after }: { id: string; action: AuditAction; after?(client: ClientOfDesk): AuditValues },
  work: (transaction: Transaction, client: ClientOfDesk) => Promise<void>,
): Promise<void> {
  if (!isId(id)) throw new DomainError('not_found');
  const occurredAt = clock();
  await runTransaction(database, async (transaction) => {
    if (!(await mayEdit(transaction))) throw new DomainError('unauthenticated');
    const hourAgo = new Date(occurredAt.getTime() - 3_600_000).toISOString();
    const { rows } = await transaction.execute<ClientOfDesk & Record<string, unknown>>(sql`
      select email, replaced_feed_email as "replacedFeedEmail", unrestored_email as "unrestoredEmail",
        password_hash is not null as "isActivated", disabled_at is not null as "isDisabled", (
          select count(*)::int from password_links where client_id = clients.id and created_at > ${hourAgo}::timestamptz
        ) as "recentLinks"
      from clients where id = ${id} for update`);
    const [client] = rows;
    if (!client) throw new DomainError('not_found');
    await work(transaction, client);
    await recordAudit(transaction, {
      occurredAt,
      actor,
      action,
      subject: { kind: 'client', id },
      address,
      ...(after ? { after: after(client) } : {}),
    });
  });
}

function assertEnabled({ isDisabled }: Pick<ClientOfDesk, 'isDisabled'>): void {
  if (isDisabled) throw notPossible('This client is disabled. An admin can let them sign in again.');
}

/** Further links are not emailed, because they would flood the client’s inbox. */
const maxLinksPerHour = 5;

async function sendLink(
  transaction: Transaction,
  { email, isDisabled, unrestoredEmail, recentLinks }: ClientOfDesk,
  purpose: 'invitation' | 'forgotten',
): Promise<void> {
  assertEnabled({ isDisabled });
  if (unrestoredEmail !== null) throw notPossible(identityInDoubt);
  if (recentLinks >= maxLinksPerHour)
    throw notPossible(
      `This client got ${maxLinksPerHour} links in the last hour. Ask them to look in their inbox, or try again later.`,
    );
  await requestPasswordLink(transaction, email, purpose, { isFromFirm: true });
}
