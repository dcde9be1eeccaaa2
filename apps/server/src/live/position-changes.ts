import { sql } from 'drizzle-orm';
import type { Connection } from '../platform/database.ts';

/**
 * Assigns positions to clients’ changes without one, unless another reader is doing so; those changes are then in a later
 * answer. Transactions that add changes never wait for this, and those still in progress get later positions.
 */
export async function positionChanges(transaction: Connection): Promise<void> {
  const { rows } = await transaction.execute<{ isLocked: boolean }>(
    sql`select pg_try_advisory_xact_lock(7208114226) as "isLocked"`,
  );
  if (!rows[0]?.isLocked) return;
  await transaction.execute(sql`
    update client_changes set position = former.last + waiting.number
    from (select coalesce(max(position), 0) as last from client_changes) as former,
      (select id, row_number() over (order by id) as number from client_changes where position is null
       order by id limit 10000) as waiting
    where client_changes.id = waiting.id`);
}
