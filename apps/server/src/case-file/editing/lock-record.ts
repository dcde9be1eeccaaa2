import { type SQL, sql } from 'drizzle-orm';
import type { Transaction } from '../../platform/database.ts';
import { DomainError, notPossible } from '../../platform/domain-error.ts';
import { isId } from '../../platform/ids.ts';
import { versionOf } from '../../platform/reads/record-version.ts';
import { findSqlState } from '../../platform/run-transaction.ts';

/** The records that staff edit. A milestone is part of the record of its matter. */
export type EditedKind = 'case' | 'milestone' | 'matter' | 'search' | 'document' | 'task' | 'bill';

/** A case, or a record that belongs to one. */
export interface CaseSubject {
  kind: EditedKind;
  id: string;
}

/** A case that is locked until the end of the transaction. */
export interface LockedCase {
  caseId: string;
  /** The reference of the case in the case feed. */
  caseReference: string;
}

/** A record that is locked until the end of the transaction. */
export interface LockedRecord extends LockedCase {
  kind: EditedKind;
  id: string;
  /** The reference of the record in the case feed. */
  reference: string;
  /** The key of a milestone within its matter; empty for other records. */
  key: string;
  version: string;
}

const caseOf: Record<EditedKind, (id: string) => SQL> = {
  case: (id) => sql`${id}`,
  milestone: (id) =>
    sql`(select case_id from matters where id = (select matter_id from milestones where id = ${id}))`,
  matter: (id) => sql`(select case_id from matters where id = ${id})`,
  search: (id) =>
    sql`(select case_id from matters where id = (select matter_id from case_searches where id = ${id}))`,
  document: (id) =>
    sql`(select case_id from matters where id = (select matter_id from documents where id = ${id}))`,
  task: (id) => sql`(select case_id from tasks where id = ${id})`,
  bill: (id) => sql`(select case_id from bills where id = ${id})`,
};

/**
 * Locks a case until the end of the transaction. Every edit at the desk does this first, and an import locks the cases
 * that it writes. Payments and signatures do not: they lock the records that they change.
 * @throws DomainError `not_found`; `unavailable` if another transaction has locked the case for too long
 */
export async function lockCaseOf(transaction: Transaction, { kind, id }: CaseSubject): Promise<LockedCase> {
  if (!isId(id)) throw new DomainError('not_found');
  // Weaker than a lock for deletion, so that rows that refer to the case can be added meanwhile.
  const { rows } = await transaction
    .execute<{ caseId: string; caseReference: string }>(
      sql`select id as "caseId", reference as "caseReference" from conveyancing_cases
        where id = ${caseOf[kind](id)} for no key update`,
    )
    .catch((error: unknown) => {
      throw findSqlState(error) === lockNotAvailable ? caseInUse() : error;
    });
  const [found] = rows;
  if (!found) throw new DomainError('not_found');
  return found;
}

const lockNotAvailable = '55P03';
const caseInUse = () =>
  new DomainError('unavailable', {
    message: 'A colleague or an import is changing this case. Please try again in a minute.',
  });

const sources: Record<EditedKind, SQL> = {
  case: sql`select "case".reference, '' as key, "case".id as case_id, ${versionOf('"case"')} as version
    from conveyancing_cases "case"`,
  milestone: sql`select matter.reference, milestone.key, matter.case_id, ${versionOf('milestone')} as version
    from milestones milestone join matters matter on matter.id = milestone.matter_id`,
  matter: sql`select matter.reference, '' as key, matter.case_id, ${versionOf('matter')} as version from matters matter`,
  search: sql`select search.reference, '' as key, matter.case_id, ${versionOf('search')} as version
    from case_searches search join matters matter on matter.id = search.matter_id`,
  document: sql`select document.reference, '' as key, matter.case_id, ${versionOf('document')} as version
    from documents document join matters matter on matter.id = document.matter_id`,
  task: sql`select task.reference, '' as key, task.case_id, ${versionOf('task')} as version from tasks task`,
  bill: sql`select bill.reference, '' as key, bill.case_id, ${versionOf('bill')} as version from bills bill`,
};

/** Locks a record of a locked case. @throws DomainError `not_found`; `edit_not_possible` for another case’s record */
export async function lockRecord(
  transaction: Transaction,
  { kind, id }: { kind: EditedKind; id: string },
  ofCase: LockedCase,
): Promise<LockedRecord> {
  if (!isId(id)) throw new DomainError('not_found');
  const row = sql.identifier(kind);
  // A case is locked already, less strongly, so that rows that refer to it can be added meanwhile.
  if (kind !== 'case')
    await transaction.execute(
      sql`select from ${sql.raw(tableOf[kind])} ${row} where ${row}.id = ${id} for update`,
    );
  // Read after the lock, to include what payments and signatures have changed meanwhile.
  const { rows } = await transaction.execute<{
    reference: string;
    key: string;
    case_id: string;
    version: string;
  }>(sql`${sources[kind]} where ${row}.id = ${id}`);
  const [found] = rows;
  if (!found) throw new DomainError('not_found');
  if (found.case_id !== ofCase.caseId) throw notPossible(`This ${nameOf[kind]} belongs to another case.`);
  const { reference, key, version } = found;
  return { ...ofCase, kind, id, reference, key, version };
}

const tableOf: Record<Exclude<EditedKind, 'case'>, string> = {
  milestone: 'milestones',
  matter: 'matters',
  search: 'case_searches',
  document: 'documents',
  task: 'tasks',
  bill: 'bills',
};

const nameOf: Record<EditedKind, string> = {
  case: 'case',
  milestone: 'step',
  matter: 'matter',
  search: 'search',
  document: 'document',
  task: 'task',
  bill: 'bill',
};
