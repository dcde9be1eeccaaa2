import type { FeedList } from '@keyturn/contract';
import { findKnown } from '../../case-file/records/find-known.ts';
import { readRecords } from '../../case-file/records/read-records.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { type SendDependencies, type Sender, sendRecord } from './send-records.ts';

/**
 * Withdraws a record: stores it again with the status that withdraws its kind.
 * @throws DomainError `not_found`, `feed_not_possible`, and as `sendRecord`
 */
export async function withdrawRecord(
  dependencies: SendDependencies,
  sender: Sender,
  { kind, reference }: { kind: FeedList; reference: string },
): Promise<'withdrawn' | 'unchanged'> {
  const { database } = dependencies;
  const known = (await findKnown(database, kind, [reference])).get(reference);
  const stored = (await readRecords(database, kind, [reference])).get(reference);
  if (!known || !stored) throw new DomainError('not_found');
  const instead = insteadOfWithdrawal[kind];
  if (instead !== null) throw new DomainError('feed_not_possible', { message: instead });
  const record = { ...stored.record, status: 'cancelled' };
  const result = await sendRecord(dependencies, sender, {
    kind,
    record,
    expected: known.rowVersion,
    withdraws: true,
  });
  return result === 'unchanged' ? 'unchanged' : 'withdrawn';
}

/** Explains what to do with kinds of records that cannot be withdrawn; null for kinds that can. */
const insteadOfWithdrawal: Record<FeedList, string | null> = {
  searches: null,
  bills: null,
  clients: 'A client can’t be withdrawn. Send their cases without them.',
  cases: 'A case can’t be withdrawn. Send it with the status abandoned.',
  matters: 'A matter can’t be withdrawn. Send it with the status abandoned.',
  documents: 'A document can’t be withdrawn. Send a new one that supersedes it.',
  tasks: 'A task can’t be withdrawn. Send it with the status done.',
  history: 'A history entry can’t be withdrawn. Send it with a corrected summary.',
};
