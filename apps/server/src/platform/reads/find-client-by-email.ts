import { sql } from 'drizzle-orm';
import { clients } from '../../schema/tables/tables.ts';
import type { Connection } from '../database.ts';

export type StoredClient = typeof clients.$inferSelect;

/**
 * Finds the client with an email address, in any case and with spaces around it.
 * @param options.lock locks the row until the end of the transaction
 */
export async function findClientByEmail(
  connection: Connection,
  email: string,
  { lock = false }: { lock?: boolean } = {},
): Promise<StoredClient | undefined> {
  // PostgreSQL stores neither NUL nor lone surrogates, so no client has such an email.
  if (email.includes('\0') || !email.isWellFormed()) return undefined;
  const query = connection
    .select()
    .from(clients)
    .where(sql`lower(${clients.email}) = ${email.trim().toLowerCase()}`);
  const [client] = lock ? await query.for('update') : await query;
  return client;
}

/** What a command prints about an email address without a client. */
export const unknownClient = 'no client has this email address';
