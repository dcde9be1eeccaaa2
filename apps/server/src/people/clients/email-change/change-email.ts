import type { Account } from '@keyturn/contract';
import { and, eq, gt, isNull, sql } from 'drizzle-orm';
import type { Connection } from '../../../platform/database.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import { runTransaction } from '../../../platform/run-transaction.ts';
import { clients, emailChanges } from '../../../schema/tables/tables.ts';
import { contactChangeLane } from '../../credentials/attempt-lanes.ts';
import type { FactorOwner } from '../../credentials/factors/factor-rules.ts';
import { admitRequest } from '../../credentials/limit-links.ts';
import { recordOwnAudit } from '../../record-own-audit.ts';
import type { AccountDependencies } from '../account/change-password.ts';
import { queueChangeMails } from './email-change-mail.ts';
import { confirmHours, deletePendingChange, isInDoubt, stopDays } from './email-change-rules.ts';

/**
 * Starts to change the client’s email address, which the links that are emailed to both addresses have to confirm. Whether the
 * new address belongs to another client is not revealed.
 * @throws DomainError `email_unchanged`, `email_changed_recently`, `too_many_requests`, `unauthenticated`
 */
export async function startEmailChange(
  { database, clock, throttle, factorRules }: AccountDependencies,
  owner: FactorOwner,
  newEmail: string,
): Promise<void> {
  const email = newEmail.trim();
  if (email.toLowerCase() === owner.email.toLowerCase()) throw new DomainError('email_unchanged');
  const attempt = await admitRequest(throttle, contactChangeLane('email', owner.id));
  // Every request counts, because each one sends emails.
  attempt.failed();
  await runTransaction(database, async (transaction) => {
    const now = clock();
    await factorRules.lockOwner(transaction, owner, now);
    // The firm may have changed it meanwhile.
    const former = await findAddress(transaction, owner.id);
    const change = {
      email,
      formerEmail: former.email,
      confirmHash: null,
      stopHash: null,
      createdAt: now,
      expiresAt: new Date(now.getTime() + confirmHours * 3_600_000),
      stoppableUntil: new Date(now.getTime() + stopDays * 86_400_000),
      newConfirmedAt: null,
      // Someone else may read the emails to an address that the client has not chosen.
      formerConfirmedAt: former.isInDoubt ? now : null,
      confirmedAt: null,
    };
    // A completed change can still be undone, so that a second one does not remove the way back.
    const [undoable] = await transaction
      .select({ clientId: emailChanges.clientId })
      .from(emailChanges)
      .where(
        and(
          eq(emailChanges.clientId, owner.id),
          sql`${emailChanges.confirmedAt} is not null`,
          gt(emailChanges.stoppableUntil, now),
        ),
      );
    if (undoable)
      throw new DomainError('email_changed_recently', {
        message: `Your email address was changed less than ${stopDays} days ago. Call us to change it again.`,
      });
    await transaction
      .insert(emailChanges)
      .values({ clientId: owner.id, ...change })
      .onConflictDoUpdate({ target: emailChanges.clientId, set: change });
    const parts = former.isInDoubt ? (['new'] as const) : (['new', 'former'] as const);
    await queueChangeMails(transaction, { clientId: owner.id, parts, now });
    await recordOwnAudit(transaction, 'client.email_change_requested', { ...owner, now });
  });
}

async function findAddress(
  connection: Connection,
  clientId: string,
): Promise<{ email: string; isInDoubt: boolean }> {
  const [client] = await connection
    .select({ email: clients.email, unrestoredEmail: clients.unrestoredEmail })
    .from(clients)
    .where(eq(clients.id, clientId));
  if (!client) throw new DomainError('unauthenticated');
  return { email: client.email, isInDoubt: isInDoubt(client) };
}

/** Cancels a change that was not made yet. Does nothing without one. */
export async function cancelEmailChange(
  { database, clock }: Pick<AccountDependencies, 'database' | 'clock'>,
  owner: FactorOwner,
): Promise<void> {
  await runTransaction(database, async (transaction) => {
    if (await deletePendingChange(transaction, owner.id))
      await recordOwnAudit(transaction, 'client.email_change_cancelled', { ...owner, now: clock() });
  });
}

/** Finds a change that was not made yet, and which addresses have confirmed it; null without one. */
export async function findNewEmail(
  connection: Connection,
  clientId: string,
  now: Date,
): Promise<Account['new_email']> {
  const [change] = await connection
    .select()
    .from(emailChanges)
    .where(
      and(
        eq(emailChanges.clientId, clientId),
        isNull(emailChanges.confirmedAt),
        gt(emailChanges.expiresAt, now),
      ),
    );
  if (!change) return null;
  return {
    email: change.email,
    expires_at: change.expiresAt.toISOString(),
    is_confirmed_at_new: change.newConfirmedAt !== null,
    is_confirmed_at_former: change.formerConfirmedAt !== null,
  };
}
