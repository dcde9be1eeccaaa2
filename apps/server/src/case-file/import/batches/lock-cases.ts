import type { FeedList, FeedRecord } from '@keyturn/contract';
import { type SQL, sql } from 'drizzle-orm';
import type { Transaction } from '../../../platform/database.ts';

/** The cases of records of each list, by the references that a parameter contains. Clients belong to no case. */
const casesOf: Record<Exclude<FeedList, 'clients'>, (references: SQL) => SQL> = {
  cases: named,
  matters: named,
  tasks: named,
  bills: named,
  history: named,
  documents: ofMatters,
  searches: ofMatters,
};

function named(references: SQL): SQL {
  return sql`reference = any(${references})`;
}

function ofMatters(references: SQL): SQL {
  return sql`id in (select case_id from matters where reference = any(${references}))`;
}

/**
 * Locks the cases that records of a feed belong to until the end of the transaction, in the order of their ids, so that
 * no member edits them meanwhile. Cases that do not exist yet need no lock.
 */
export async function lockCasesOf(
  transaction: Transaction,
  list: FeedList,
  records: readonly FeedRecord<FeedList>[],
): Promise<void> {
  if (list === 'clients') return;
  const references = new Set(
    records.map((record) =>
      'case' in record ? record.case : 'matter' in record ? record.matter : record.reference,
    ),
  );
  await transaction.execute(
    sql`select from conveyancing_cases where ${casesOf[list](sql`${sql.param([...references])}::text[]`)}
      order by id for no key update`,
  );
}
