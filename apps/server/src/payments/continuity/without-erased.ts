import { sql } from 'drizzle-orm';
import type { Connection } from '../../platform/database.ts';

/** Leaves out the intents whose payment or case was erased: the provider keeps them, and no one has to review them. */
export async function withoutErased<Intent extends { paymentId: string | null; caseId?: string | null }>(
  connection: Connection,
  intents: readonly Intent[],
): Promise<Intent[]> {
  const ids = intents.flatMap(({ paymentId, caseId = null }) => [paymentId ?? [], caseId ?? []].flat());
  if (ids.length === 0) return [...intents];
  const { rows } = await connection.execute<{ id: string }>(sql`
    select payment_id::text as id from erased_payments where payment_id::text = any(${sql.param(ids)}::text[])
    union all
    select subject_id::text from erasures
      where subject_kind = 'case' and subject_id::text = any(${sql.param(ids)}::text[])`);
  const erased = new Set(rows.map(({ id }) => id));
  return intents.filter(({ paymentId, caseId }) => !erased.has(paymentId ?? '') && !erased.has(caseId ?? ''));
}
