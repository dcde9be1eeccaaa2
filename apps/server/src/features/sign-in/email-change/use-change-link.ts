import { and, eq, gt, gte, isNull, or, sql } from 'drizzle-orm';
import { activeFactors, deleteFactors } from '../../../platform/credentials/factors/factors.ts';
import { hashToken } from '../../../platform/credentials/hash-token.ts';
import type { Transaction } from '../../../platform/database.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import { clientFactorTables } from '../../../platform/tables/factor-tables.ts';
import { clients, emailChanges, passwordLinks } from '../../../platform/tables/tables.ts';
import type { AccountDependencies } from '../account/change-password.ts';
import { recordOwnAudit } from '../account/record-own-audit.ts';
import { queueUnrestoredMail } from './email-change-mails.ts';
import { changeAddress } from './email-change-rules.ts';

type ChangeRow = typeof emailChanges.$inferSelect;

interface LinkRequest {
  /** The token of the link. */
  token: string;
  /** IP address. */
  address: string;
}

/**
 * Changes the email address with the link that was mailed to the new one. The client is signed out everywhere, and signs
 * in with the new address.
 * @throws DomainError `link_expired`, `email_taken`
 */
export async function confirmEmailChange(
  dependencies: AccountDependencies,
  { token, address }: LinkRequest,
): Promise<void> {
  const { database, clock } = dependencies;
  await database.transaction(async (transaction) => {
    const now = clock();
    const change = await lockChange(transaction, eq(emailChanges.confirmHash, hashToken(token)));
    if (!change || change.confirmedAt || change.expiresAt <= now) throw new DomainError('link_expired');
    const client = await lockClient(transaction, change.clientId);
    // The firm has changed the address meanwhile.
    if (!isSameAddress(client.email, change.formerEmail)) throw new DomainError('link_expired');
    const isChanged = await changeAddress(transaction, client.id, {
      email: change.email,
      replacedFeedEmail: client.replacedFeedEmail ?? client.email,
      now,
    });
    if (!isChanged) throw new DomainError('email_taken');
    await transaction
      .update(emailChanges)
      .set({ confirmedAt: now })
      .where(eq(emailChanges.clientId, client.id));
    await endAccess(dependencies, transaction, { clientId: client.id, now });
    await recordOwnAudit(transaction, 'client.email_changed', { ...actorOf(client), address, now });
  });
}

/**
 * Stops a change with the link that was mailed to the former address, or undoes it. The client who asked for it had
 * confirmed their identity, so the password, and the factors that were added since or shortly before, are removed. If
 * another client has the former address by then, the account keeps the new one, to which no links are mailed any more.
 * @throws DomainError `link_expired`
 */
export async function stopEmailChange(
  dependencies: AccountDependencies,
  { token, address }: LinkRequest,
): Promise<{ is_address_restored: boolean }> {
  const { database, clock } = dependencies;
  return database.transaction(async (transaction) => {
    const now = clock();
    const change = await lockChange(transaction, eq(emailChanges.stopHash, hashToken(token)));
    if (!change || change.stoppableUntil <= now) throw new DomainError('link_expired');
    const client = await lockClient(transaction, change.clientId);
    const isRestored = await undoChange(transaction, client, change, now);
    await transaction
      .update(clients)
      .set({
        passwordHash: null,
        hasShortPassword: false,
        updatedAt: now,
        ...(isRestored ? {} : { unrestoredEmail: change.formerEmail }),
      })
      .where(eq(clients.id, client.id));
    if (!isRestored)
      await queueUnrestoredMail(transaction, { clientId: client.id, address: change.formerEmail });
    const suspectSince = new Date(change.createdAt.getTime() - suspectWindow);
    await removeFactorsSince(transaction, client.id, suspectSince);
    await transaction.delete(emailChanges).where(eq(emailChanges.clientId, client.id));
    await endAccess(dependencies, transaction, { clientId: client.id, now });
    const by = { ...actorOf(client), address, now };
    const after = { address_restored: isRestored };
    await recordOwnAudit(transaction, 'client.email_change_stopped', by, { after });
    return { is_address_restored: isRestored };
  });
}

/** @returns false if another client has the former address */
async function undoChange(
  transaction: Transaction,
  { id, email, replacedFeedEmail }: typeof clients.$inferSelect,
  change: ChangeRow,
  now: Date,
): Promise<boolean> {
  // Not confirmed yet, or the firm has changed the address since.
  if (!isSameAddress(email, change.email)) return true;
  const isFirms = replacedFeedEmail !== null && isSameAddress(replacedFeedEmail, change.formerEmail);
  return changeAddress(transaction, id, {
    email: change.formerEmail,
    replacedFeedEmail: isFirms ? null : replacedFeedEmail,
    now,
  });
}

const isSameAddress = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();

/** A thief may add a passkey some time before they ask for the change. Milliseconds. */
const suspectWindow = 7 * 86_400_000;

/**
 * Removes the factors that became active since a moment, however early they were started, and the recovery codes that were
 * made since. Without a factor, none of the codes stays: a later factor would count them as its own.
 */
async function removeFactorsSince(transaction: Transaction, clientId: string, since: Date): Promise<void> {
  const { factors, recoveryCodes } = clientFactorTables;
  await transaction
    .delete(factors)
    .where(
      and(eq(factors.ownerId, clientId), or(gte(factors.createdAt, since), gte(factors.activeAt, since))),
    );
  await transaction
    .delete(recoveryCodes)
    .where(and(eq(recoveryCodes.ownerId, clientId), gte(recoveryCodes.createdAt, since)));
  if ((await activeFactors(transaction, clientFactorTables, clientId)).length === 0)
    await deleteFactors(transaction, clientFactorTables, clientId);
}

const lockChange = async (
  transaction: Transaction,
  which: ReturnType<typeof eq>,
): Promise<ChangeRow | undefined> => {
  const [found] = await transaction.select().from(emailChanges).where(which);
  if (!found) return undefined;
  // The client is locked first, as everywhere else, because another order could deadlock.
  await transaction.execute(sql`select from clients where id = ${found.clientId} for update`);
  const [locked] = await transaction.select().from(emailChanges).where(which).for('update');
  return locked;
};

async function lockClient(transaction: Transaction, id: string): Promise<typeof clients.$inferSelect> {
  const [client] = await transaction.select().from(clients).where(eq(clients.id, id)).for('update');
  if (!client) throw new DomainError('link_expired');
  return client;
}

/** Ends every session, and makes links and known devices of the former address useless. */
async function endAccess(
  { sessions, devices }: AccountDependencies,
  transaction: Transaction,
  { clientId, now }: { clientId: string; now: Date },
): Promise<void> {
  await transaction
    .update(passwordLinks)
    .set({ usedAt: now })
    .where(
      and(
        eq(passwordLinks.clientId, clientId),
        isNull(passwordLinks.usedAt),
        gt(passwordLinks.expiresAt, now),
      ),
    );
  await sessions.revokeSessionsOf(clientId, transaction);
  await devices.forgetDevicesOf(clientId, transaction);
}

const actorOf = ({ id, firstName, lastName }: typeof clients.$inferSelect) => ({
  id,
  name: `${firstName} ${lastName}`,
});
