import { sql } from 'drizzle-orm';
import type { Connection } from './database.ts';

/**
 * Records for outgoing webhooks that a client sets a first password. A password that an import sets is not the client’s
 * act, so this is not a trigger.
 * @param connection the transaction that is about to store the password
 */
export async function recordActivation(
  connection: Connection,
  { clientId, activatedAt }: { clientId: string; activatedAt: Date },
): Promise<void> {
  await connection.execute(sql`
    select record_webhook_event('client.activated', id::text, ${activatedAt.toISOString()}::timestamptz, id,
      jsonb_build_object('client', reference), '/login')
    from clients where id = ${clientId} and password_hash is null`);
}
