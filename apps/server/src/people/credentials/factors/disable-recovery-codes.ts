import { sql } from 'drizzle-orm';
import type { Transaction } from '../../../platform/database.ts';

/** Disables every unused recovery code of clients or staff. @returns the ids of those who had unused ones */
export async function disableRecoveryCodes(
  transaction: Transaction,
  kind: 'client' | 'staff',
  at: Date,
): Promise<string[]> {
  const now = sql`${at.toISOString()}::timestamptz`;
  const { rows } = await transaction.execute<{ owner: string }>(sql`
    with disabled as (
      update ${sql.identifier(`${kind}_recovery_codes`)} set used_at = ${now}, disabled_at = ${now}
      where used_at is null returning ${sql.identifier(`${kind}_id`)} as owner)
    select distinct owner from disabled order by owner`);
  return rows.map(({ owner }) => owner);
}
