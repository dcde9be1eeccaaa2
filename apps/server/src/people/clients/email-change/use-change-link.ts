import { and, eq, gte, or, type SQL } from 'drizzle-orm';
import { hashToken } from '../../../platform/credentials/hash-token.ts';
import type { Transaction } from '../../../platform/database.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import { runTransaction } from '../../../platform/run-transaction.ts';
import { clientFactorTables } from '../../../schema/tables/factor-tables.ts';
import { clients, emailChanges } from '../../../schema/tables/tables.ts';
import { activeFactors, deleteFactors } from '../../credentials/factors/factors.ts';
import { recordOwnAudit } from '../../record-own-audit.ts';
import type { AccountDependencies } from '../account/change-password.ts';
import { queueClientNotice } from '../client-notice-mail.ts';
import { endClientAccess } from '../end-access.ts';
import { lockClient } from '../record/client-rows.ts';
import { queueUndoneMail } from './email-change-mail.ts';
import { changeAddress, isSameAddress, stopDays } from './email-change-rules.ts';

type ChangeRow = typeof emailChanges.$inferSelect;

interface LinkRequest {
  /** The token of the link. */
  token: string;
  /** IP address. */
  address: string;
}

/** The address that has not confirmed a change yet; null once the change is made. */
type MissingConfirmation = 'new_address' | 'former_address' | null;

/**
 * Confirms a change with the link that was emailed to one of the two addresses. The second confirmation makes the change:
 * the client is signed out everywhere, and signs in with the new address.
 * @throws DomainError `link_expired`, `email_taken`
 */
export async function confirmEmailChange(
  dependencies: AccountDependencies,
  { token, address }: LinkRequest,
): Promise<{ missing: MissingConfirmation }> {
  const { database, clock } = dependencies;
  return runTransaction(database, async (transaction) => {
    const now = clock();
    const hash = hashToken(token);
    const change = await lockChange(
      transaction,
      or(eq(emailChanges.confirmHash, hash), eq(emailChanges.stopHash, hash)),
    );
    if (!change) throw new DomainError('link_expired');
    const isFormer = change.stopHash?.equals(hash) ?? false;
    // The link to the former address can still undo the change, so it must not look expired.
    if (isFormer && change.confirmedAt && change.stoppableUntil > now) return { missing: null };
    if (change.confirmedAt || change.expiresAt <= now) throw new DomainError('link_expired');
    const client = await requireClient(transaction, change.clientId);
    // The firm has changed the address meanwhile.
    if (!isSameAddress(client.email, change.formerEmail)) throw new DomainError('link_expired');
    const actor = { ...actorOf(client), address, now };
    const newConfirmedAt = change.newConfirmedAt ?? (isFormer ? null : now);
    const formerConfirmedAt = change.formerConfirmedAt ?? (isFormer ? now : null);
    // A link that is used again confirms nothing more.
    if (newConfirmedAt === now || formerConfirmedAt === now) {
      const after = { by: isFormer ? 'former_address' : 'new_address' };
      await recordOwnAudit(transaction, 'client.email_change_confirmed', actor, { after });
      await transaction
        .update(emailChanges)
        .set({ newConfirmedAt, formerConfirmedAt })
        .where(eq(emailChanges.clientId, client.id));
    }
    if (!newConfirmedAt) return { missing: 'new_address' };
    if (!formerConfirmedAt) return { missing: 'former_address' };
    await makeChange(transaction, client, { email: change.email, now });
    await endClientAccess(transaction, { clientId: client.id, now });
    await recordOwnAudit(transaction, 'client.email_changed', actor);
    return { missing: null };
  });
}

/** @throws DomainError `email_taken` */
async function makeChange(
  transaction: Transaction,
  { id, email: former, replacedFeedEmail }: typeof clients.$inferSelect,
  { email, now }: { email: string; now: Date },
): Promise<void> {
  const replaced = replacedFeedEmail ?? former;
  const isChanged = await changeAddress(transaction, id, { email, replacedFeedEmail: replaced, now });
  if (!isChanged) throw new DomainError('email_taken');
  await transaction
    .update(emailChanges)
    .set({ confirmedAt: now, stoppableUntil: new Date(now.getTime() + stopDays * 86_400_000) })
    .where(eq(emailChanges.clientId, id));
  await queueClientNotice(transaction, id, { kind: 'email_changed' }, now);
}

/**
 * Stops a change with the link that was emailed to the former address, and ends every session. A change that was made is
 * undone.
 * @throws DomainError `link_expired`
 */
export async function stopEmailChange(
  dependencies: AccountDependencies,
  { token, address }: LinkRequest,
): Promise<{ is_undone: boolean }> {
  const { database, clock } = dependencies;
  return runTransaction(database, async (transaction) => {
    const now = clock();
    const change = await lockChange(transaction, eq(emailChanges.stopHash, hashToken(token)));
    if (!change || change.stoppableUntil <= now) throw new DomainError('link_expired');
    const client = await requireClient(transaction, change.clientId);
    const actor = { ...actorOf(client), address, now };
    const isUndone = change.confirmedAt !== null;
    if (isUndone) {
      const address_restored = await undoChange(transaction, client, change, now);
      await recordOwnAudit(transaction, 'client.email_change_undone', actor, { after: { address_restored } });
    } else {
      await recordOwnAudit(transaction, 'client.email_change_stopped', actor);
    }
    await transaction.delete(emailChanges).where(eq(emailChanges.clientId, client.id));
    await endClientAccess(transaction, { clientId: client.id, now });
    return { is_undone: isUndone };
  });
}

/**
 * Restores the former address, and emails no links to either address until the client has proved who they are: the reader of
 * the former mailbox, or the one of the new mailbox, may be a thief. The factors that were added since the change or shortly
 * before are removed, and the password too if no older factor protects it.
 * @returns false if another client has the former address by then, so that the account keeps the new one
 */
async function undoChange(
  transaction: Transaction,
  { id, replacedFeedEmail }: typeof clients.$inferSelect,
  { createdAt, email, formerEmail }: ChangeRow,
  now: Date,
): Promise<boolean> {
  const isFirms = replacedFeedEmail !== null && isSameAddress(replacedFeedEmail, formerEmail);
  const isRestored = await changeAddress(transaction, id, {
    email: formerEmail,
    replacedFeedEmail: isFirms ? null : replacedFeedEmail,
    now,
  });
  const keepsFactor = await removeFactorsSince(
    transaction,
    id,
    new Date(createdAt.getTime() - suspectWindow),
  );
  await transaction
    .update(clients)
    .set({
      unrestoredEmail: formerEmail,
      updatedAt: now,
      ...(keepsFactor ? {} : { passwordHash: null, hasShortPassword: false }),
    })
    .where(eq(clients.id, id));
  for (const address of [formerEmail, email]) await queueUndoneMail(transaction, { clientId: id, address });
  return isRestored;
}

/** A thief may add a passkey some time before they ask for the change. Milliseconds. */
const suspectWindow = 7 * 86_400_000;

/**
 * Removes the factors that became active since a moment, however early they were started, and the recovery codes that were
 * made since. Without a factor, none of the codes stays: a later factor would count them as its own.
 * @returns whether the client keeps a factor
 */
async function removeFactorsSince(transaction: Transaction, clientId: string, since: Date): Promise<boolean> {
  const { factors, recoveryCodes } = clientFactorTables;
  await transaction
    .delete(factors)
    .where(
      and(eq(factors.ownerId, clientId), or(gte(factors.createdAt, since), gte(factors.activeAt, since))),
    );
  await transaction
    .delete(recoveryCodes)
    .where(and(eq(recoveryCodes.ownerId, clientId), gte(recoveryCodes.createdAt, since)));
  const keepsFactor = (await activeFactors(transaction, clientFactorTables, clientId)).length > 0;
  if (!keepsFactor) await deleteFactors(transaction, clientFactorTables, clientId);
  return keepsFactor;
}

const lockChange = async (
  transaction: Transaction,
  which: SQL | undefined,
): Promise<ChangeRow | undefined> => {
  const [found] = await transaction.select().from(emailChanges).where(which);
  if (!found) return undefined;
  await lockClient(transaction, found.clientId);
  const [locked] = await transaction.select().from(emailChanges).where(which).for('update');
  return locked;
};

async function requireClient(transaction: Transaction, id: string): Promise<typeof clients.$inferSelect> {
  const client = await lockClient(transaction, id);
  if (!client) throw new DomainError('link_expired');
  return client;
}

const actorOf = ({ id, email, firstName, lastName }: typeof clients.$inferSelect) => ({
  id,
  email,
  name: `${firstName} ${lastName}`,
});
