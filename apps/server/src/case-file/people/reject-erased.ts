import { formatDay, londonDay } from '@keyturn/format/london-time';
import { sql } from 'drizzle-orm';
import type { Transaction } from '../../platform/database.ts';
import { RecordRejected } from '../records/rejected-record.ts';

/**
 * Creates a check that rejects new records whose client or case was erased, so that a feed does not add them again.
 * @returns a function that throws RecordRejected for an erased reference
 */
export async function createErasedCheck(
  transaction: Transaction,
  kind: 'client' | 'case',
  references: readonly string[],
): Promise<(reference: string) => void> {
  const { rows } = await transaction.execute<{ reference: string; erasure: number; at: string }>(sql`
    select sent.reference, erasures.id::int as erasure, to_json(occurred_at) #>> '{}' as at
    from unnest(${sql.param(references)}::text[]) as sent (reference)
    join erasures on reference_hash = sha256(convert_to(${`${kind}:`} || sent.reference, 'UTF8'))`);
  const erased = new Map(rows.map(({ reference, ...erasure }) => [reference, erasure]));
  return (reference) => {
    const found = erased.get(reference);
    if (!found) return;
    const day = formatDay(londonDay(found.at));
    throw new RecordRejected(
      '/reference',
      `was erased on ${day} (erasure ${found.erasure}) and is not added again: remove it from the feed; a ${kind} that returns needs a new reference`,
    );
  };
}
