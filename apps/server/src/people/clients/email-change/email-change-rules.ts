import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Connection, Transaction } from '../../../platform/database.ts';
import { isTakenEmail } from '../../../platform/is-taken-email.ts';
import { clients, emailChanges } from '../../../schema/tables/tables.ts';

/** Hours for which both addresses can confirm a change. */
export const confirmHours = 24;
/** Days after a change for which the former address can undo it, and gets every notice about the account. */
export const stopDays = 7;

/** Tells whether two email addresses belong to the same mailbox. */
export const isSameAddress = (one: string, other: string): boolean =>
  one.toLowerCase() === other.toLowerCase();

/**
 * Tells whether someone else may read a client’s address: a change to it was undone, and another client has the former one.
 */
export const isInDoubt = ({
  email,
  unrestoredEmail,
}: Pick<typeof clients.$inferSelect, 'email' | 'unrestoredEmail'>): boolean =>
  unrestoredEmail !== null && !isSameAddress(email, unrestoredEmail);

/**
 * Emails links to a client again, who has signed in with a second factor that is older than the change that was undone. An
 * address in doubt still gets none.
 */
export const acceptOwnProof = (connection: Connection, clientId: string) =>
  connection.execute(sql`
    update clients set unrestored_email = null
    where id = ${clientId} and lower(unrestored_email) = lower(email)`);

/** Tells whether another client has an email address. */
export async function isEmailTaken(
  connection: Connection,
  email: string,
  clientId: string,
): Promise<boolean> {
  const { rowCount } = await connection.execute(
    sql`select from ${clients} where lower(email) = lower(${email}) and id <> ${clientId}`,
  );
  return rowCount !== 0;
}

/**
 * Changes the email address of a client, whom the caller has locked. Two clients can choose an address at the same time, so
 * the unique index decides.
 * @returns whether no other client has the address
 */
export async function changeAddress(
  transaction: Transaction,
  clientId: string,
  change: { email: string; replacedFeedEmail: string | null; now: Date },
): Promise<boolean> {
  const { now, ...address } = change;
  try {
    await transaction.transaction((savepoint) =>
      savepoint
        .update(clients)
        .set({ ...address, unrestoredEmail: null, updatedAt: now })
        .where(eq(clients.id, clientId)),
    );
    return true;
  } catch (error) {
    if (isTakenEmail(error)) return false;
    throw error;
  }
}

/** Cancels a change that was not made yet. @returns whether there was one */
export async function deletePendingChange(connection: Connection, clientId: string): Promise<boolean> {
  const { rowCount } = await connection
    .delete(emailChanges)
    .where(and(eq(emailChanges.clientId, clientId), isNull(emailChanges.confirmedAt)));
  return (rowCount ?? 0) > 0;
}

/**
 * Undoes a client’s own change of the email address, however old it is: for a client whose account was taken over. The
 * caller has locked the client.
 * @returns the address of the firm’s system; null without one, or if another client has it now
 */
export async function restoreFirmAddress(
  transaction: Transaction,
  { id, replacedFeedEmail }: Pick<typeof clients.$inferSelect, 'id' | 'replacedFeedEmail'>,
  now: Date,
): Promise<string | null> {
  if (replacedFeedEmail === null) return null;
  const firms = { email: replacedFeedEmail, replacedFeedEmail: null, now };
  if (!(await changeAddress(transaction, id, firms))) return null;
  await transaction.delete(emailChanges).where(eq(emailChanges.clientId, id));
  return replacedFeedEmail;
}
