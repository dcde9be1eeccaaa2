import { type SQL, sql } from 'drizzle-orm';
import type { Transaction } from '../../platform/database.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { isId } from '../../platform/ids.ts';
import { versionOf } from '../../platform/reads/record-version.ts';

/** The records that staff edit. A milestone is part of the record of its matter. */
export type EditedKind = 'milestone' | 'matter' | 'search' | 'document' | 'task';

/** A record that is locked until the end of the transaction. */
export interface LockedRecord {
  kind: EditedKind;
  id: string;
  /** The reference of the record in the case feed. */
  reference: string;
  /** The key of a milestone within its matter; empty for other records. */
  key: string;
  caseId: string;
  caseReference: string;
  version: string;
}

/** Payments and signatures change searches, documents and tasks without the lock of imports. */
const sources: Record<EditedKind, SQL> = {
  milestone: sql`select matter.reference, milestone.key, matter.case_id, ${versionOf('milestone')} as version
    from milestones milestone join matters matter on matter.id = milestone.matter_id`,
  matter: sql`select matter.reference, '' as key, matter.case_id, ${versionOf('matter')} as version from matters matter`,
  search: sql`select search.reference, '' as key, matter.case_id, ${versionOf('search')} as version
    from case_searches search join matters matter on matter.id = search.matter_id`,
  document: sql`select document.reference, '' as key, matter.case_id, ${versionOf('document')} as version
    from documents document join matters matter on matter.id = document.matter_id`,
  task: sql`select task.reference, '' as key, task.case_id, ${versionOf('task')} as version from tasks task`,
};

/** Locks a record. @throws DomainError `not_found` */
export async function lockRecord(
  transaction: Transaction,
  kind: EditedKind,
  id: string,
): Promise<LockedRecord> {
  if (!isId(id)) throw new DomainError('not_found');
  const row = sql.raw(kind);
  await transaction.execute(
    sql`select from ${sql.raw(tableOf[kind])} ${row} where ${row}.id = ${id} for update`,
  );
  // Read after the lock, to include changes that were committed meanwhile.
  const { rows } = await transaction.execute<{
    reference: string;
    key: string;
    case_id: string;
    case_reference: string;
    version: string;
  }>(sql`
    select found.*, conveyancing_case.reference as case_reference
    from (${sources[kind]} where ${row}.id = ${id}) found
    join conveyancing_cases conveyancing_case on conveyancing_case.id = found.case_id`);
  const [found] = rows;
  if (!found) throw new DomainError('not_found');
  const { reference, key, case_id: caseId, case_reference: caseReference, version } = found;
  return { kind, id, reference, key, caseId, caseReference, version };
}

const tableOf: Record<EditedKind, string> = {
  milestone: 'milestones',
  matter: 'matters',
  search: 'case_searches',
  document: 'documents',
  task: 'tasks',
};

/** Finds the reference of a case. @throws DomainError `not_found` */
export async function findCaseReference(transaction: Transaction, caseId: string): Promise<string> {
  if (!isId(caseId)) throw new DomainError('not_found');
  const { rows } = await transaction.execute<{ reference: string }>(
    sql`select reference from conveyancing_cases where id = ${caseId}`,
  );
  const [found] = rows;
  if (!found) throw new DomainError('not_found');
  return found.reference;
}
