import { eq, sql } from 'drizzle-orm';
import type { Transaction } from '../../../platform/database.ts';
import { clients } from '../../../schema/tables/tables.ts';
import { writeRows } from '../../../schema/write-rows.ts';
import { reportChangedEmails } from './changed-email-mail.ts';

/** Finds the current client with each of these email addresses. */
export async function findOwnersOfEmails(
  transaction: Transaction,
  emails: readonly string[],
): Promise<Map<string, string>> {
  const { rows } = await transaction.execute<{ email: string; id: string }>(sql`
    select sent.email, clients.id from unnest(${sql.param(emails)}::text[]) as sent (email)
    join clients on lower(clients.email) = lower(sent.email)`);
  return new Map(rows.map(({ email, id }) => [email, id]));
}

/** Locks a client until the transaction ends. Lock the client before any other row, because another order could deadlock. */
export async function lockClient(
  transaction: Transaction,
  id: string,
): Promise<typeof clients.$inferSelect | undefined> {
  const [client] = await transaction.select().from(clients).where(eq(clients.id, id)).for('update');
  return client;
}

/** Sets the passwords of clients who have not set one meanwhile. */
export const setInitialPasswords = (
  transaction: Transaction,
  passwords: readonly { id: string; passwordHash: string }[],
) =>
  transaction.execute(sql`
    update clients set password_hash = sent.password_hash, updated_at = now()
    from unnest(${sql.param(passwords.map(({ id }) => id))}::uuid[],
      ${sql.param(passwords.map(({ passwordHash }) => passwordHash))}::text[]) as sent (id, password_hash)
    where clients.id = sent.id and clients.password_hash is null`);

/**
 * Revokes the password links, sessions and known devices of clients when their email changes, because the old address
 * may belong to another person. An email to the old address reports the change if the client has signed in with it, at
 * most once an hour, because a feed key could otherwise email any address. The caller has locked the clients.
 * @param sent the clients with their new emails
 */
export async function endAccessOfPreviousEmails(
  transaction: Transaction,
  sent: readonly { id: string; email: string }[],
  now: Date,
): Promise<void> {
  const { rows } = await transaction.execute<{ id: string }>(sql`
    select clients.id from clients
    join unnest(${sql.param(sent.map(({ id }) => id))}::uuid[], ${sql.param(sent.map(({ email }) => email))}::text[])
      as sent (id, email) on sent.id = clients.id
    where lower(clients.email) <> lower(sent.email)`);
  if (rows.length === 0) return;
  const ids = sql.param(rows.map(({ id }) => id));
  await transaction.execute(
    sql`update password_links set used_at = now() where client_id = any(${ids}::uuid[]) and used_at is null`,
  );
  // The firm’s address counts: a change that the client started is over, and can no longer be undone.
  await transaction.execute(sql`delete from email_changes where client_id = any(${ids}::uuid[])`);
  await transaction.execute(sql`update clients set unrestored_email = null where id = any(${ids}::uuid[])`);
  await transaction.execute(
    sql`update sessions set revoked_at = now() where client_id = any(${ids}::uuid[]) and revoked_at is null`,
  );
  await transaction.execute(sql`delete from known_devices where client_id = any(${ids}::uuid[])`);
  const { rows: previous } = await transaction.execute<{
    clientId: string;
    email: string;
    firstName: string;
    lastName: string;
  }>(sql`
    update clients set email_change_mailed_at = ${now.toISOString()}::timestamptz
    where id = any(${ids}::uuid[]) and password_hash is not null
      and (email_change_mailed_at is null or email_change_mailed_at <= ${oneHourBefore(now)}::timestamptz)
    returning id as "clientId", email, first_name as "firstName", last_name as "lastName"`);
  await reportChangedEmails(transaction, previous, now);
}

const oneHourBefore = (now: Date) => new Date(now.getTime() - 3_600_000).toISOString();

/** Inserts new clients, and updates stored ones. */
export const writeClients = (
  transaction: Transaction,
  rows: readonly { isNew: boolean; row: typeof clients.$inferInsert & { id: string } }[],
): Promise<void> => writeRows(transaction, clients, rows);
