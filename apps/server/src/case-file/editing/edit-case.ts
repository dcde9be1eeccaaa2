import type { FeedList, FeedRecord } from '@keyturn/contract';
import type { RecordConflict } from '@keyturn/contract/staff';
import { formatDay, formatTime, londonDay } from '@keyturn/format/london-time';
import type { AuditActor } from '../../platform/audit/audit-entry.ts';
import { recordAudits } from '../../platform/audit/record-audit.ts';
import type { Transaction } from '../../platform/database.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { runTransaction } from '../../platform/run-transaction.ts';
import { findInCase, type ReadDeskCase } from '../cases/read-desk-case.ts';
import type { ImportDependencies } from '../import/batches/batch-context.ts';
import { readRecords, type StoredRecord } from '../records/read-records.ts';
import { recordDefinitions } from '../records/record-definitions.ts';
import type { PathChoice } from '../records/record-writer.ts';
import { storeRecords } from '../records/store-records.ts';
import { auditValuesOf } from './audit-values.ts';
import { findLastChange } from './find-last-change.ts';
import { type CaseSubject, type LockedCase, type LockedRecord, lockCaseOf } from './lock-record.ts';

export interface EditDependencies extends ImportDependencies {
  readCase: ReadDeskCase;
}

/** The member who edits, with a check that they still may. */
export interface EditRequest {
  actor: AuditActor;
  /** IP address. */
  address: string;
  /** Called in the transaction of the edit. @returns whether the caller may still edit */
  mayEdit(transaction: Transaction): Promise<boolean>;
}

/** Reads and stores records of the case file in the transaction of an edit. */
export interface RecordEditor {
  transaction: Transaction;
  /** @returns the stored record in its normal form; null for an unknown reference */
  read<List extends FeedList>(list: List, reference: string): Promise<FeedRecord<List> | null>;
  /**
   * Stores and audits records, with the rules of the case feed. A new document has a file that was uploaded.
   * @param paths the path of stored matters: the one that they have, or the current one of their type
   * @returns the records that have changed, as they are now stored, in their normal form
   * @throws DomainError `invalid_input` with the reason, `unavailable`
   */
  store<List extends FeedList>(
    list: List,
    records: readonly FeedRecord<List>[],
    paths?: PathChoice,
  ): Promise<FeedRecord<List>[]>;
}

/** Thrown in the transaction of an edit: someone else has changed the record. */
export class ChangedMeanwhile extends Error {
  readonly record: LockedRecord;
  constructor(record: LockedRecord) {
    super(`${record.kind} ${record.reference} was changed meanwhile`);
    this.record = record;
  }
}

/**
 * Edits a case in one transaction, which locks this case and no other. The version that the feed last sent is kept, so
 * that an unchanged feed changes nothing. Each changed record is audited.
 * @param subject the case, or a record of it
 * @param work may run several times; one run is committed
 * @throws DomainError `not_found`, `unauthenticated` if the caller may no longer edit, `changed_meanwhile` with the
 *   current record, `unavailable` while an import writes the case for long, and the errors of `work`
 */
export const editCase = <Result>(
  dependencies: EditDependencies,
  request: EditRequest,
  subject: CaseSubject,
  work: (editor: RecordEditor, ofCase: LockedCase) => Promise<Result>,
): Promise<Result> =>
  editLocked(dependencies, request, (transaction) => lockCaseOf(transaction, subject), work);

/**
 * Edits cases in one transaction.
 * @param lock locks the cases
 * @param work gets what `lock` returns
 * @throws DomainError as `editCase`
 */
export async function editLocked<Locked, Result>(
  dependencies: EditDependencies,
  request: EditRequest,
  lock: (transaction: Transaction) => Promise<Locked>,
  work: (editor: RecordEditor, locked: Locked) => Promise<Result>,
): Promise<Result> {
  try {
    return await runTransaction(dependencies.database, async (transaction) => {
      const locked = await lock(transaction);
      // Checked after the wait for the lock, during which the session may have ended.
      if (!(await request.mayEdit(transaction))) throw new DomainError('unauthenticated');
      return work(createEditor(dependencies, request, transaction), locked);
    });
  } catch (error) {
    throw error instanceof ChangedMeanwhile ? await explainConflict(dependencies, error.record) : error;
  }
}

function createEditor(
  dependencies: EditDependencies,
  { actor, address }: EditRequest,
  transaction: Transaction,
): RecordEditor {
  return {
    transaction,
    read: async <List extends FeedList>(list: List, reference: string) => {
      const found = (await readRecords(transaction, list, [reference])).get(reference);
      return (found?.record ?? null) as FeedRecord<List> | null;
    },
    store: async <List extends FeedList>(
      list: List,
      records: readonly FeedRecord<List>[],
      paths: PathChoice = 'own',
    ) => {
      const stored = await storeRecords(dependencies, transaction, { list, records, paths });
      const references = stored.changed;
      const written = await readRecords(transaction, list, references);
      await recordAudits(
        transaction,
        references.map((reference) => {
          const before = stored.before.get(reference);
          return {
            occurredAt: dependencies.clock(),
            actor,
            action: before ? 'desk.record_changed' : 'desk.record_added',
            subject: { kind: recordDefinitions[list].auditedAs, id: reference },
            address,
            ...auditValuesOf(before && auditedRecord(before), auditedRecord(written.get(reference))),
          } as const;
        }),
      );
      return [...written.values()].map(({ record }) => record as FeedRecord<List>);
    },
  };
}

/** A record as the audit log compares it: a matter with the version of its path. */
const auditedRecord = (stored: StoredRecord | undefined): object =>
  stored && stored.pathVersion !== null
    ? { ...stored.record, path_version: stored.pathVersion }
    : (stored?.record ?? {});

async function explainConflict(
  { database, clock, readCase }: EditDependencies,
  record: LockedRecord,
): Promise<DomainError> {
  const { by, at } = await findLastChange(database, record);
  const current = findInCase(await readCase(database, record.caseId), record.kind, record.id);
  const conflict: RecordConflict = { changed_by: by, changed_at: at?.toISOString() ?? null, current };
  const check = 'Please check what it is now, and make your change again.';
  if (!by || !at) return new DomainError('changed_meanwhile', { conflict });
  const isToday = londonDay(at) === londonDay(clock());
  const when = `${isToday ? '' : `on ${formatDay(londonDay(at))} `}at ${formatTime(at)}`;
  return new DomainError('changed_meanwhile', { conflict, message: `${by} changed this ${when}. ${check}` });
}
