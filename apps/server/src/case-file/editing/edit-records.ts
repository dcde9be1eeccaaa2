import type { FeedList, FeedRecord } from '@keyturn/contract';
import type { AuditActor } from '../../platform/audit/audit-entry.ts';
import { recordAudits } from '../../platform/audit/record-audit.ts';
import type { Transaction } from '../../platform/database.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { runTransaction } from '../../platform/run-transaction.ts';
import { applyBatch } from '../import/batches/apply-batch.ts';
import type { BatchTarget, ImportDependencies, PathChoice } from '../import/batches/batch-context.ts';
import { createFeedSummary } from '../import/feed-source.ts';
import { lockFeed } from '../import/feed-store.ts';
import { FeedBusy } from '../import/read-feed.ts';
import { faultOfRecord } from '../import/rejected-record.ts';
import { createReferenceSet } from '../import/sent-order.ts';
import { subjectKinds } from '../import/subject-kinds.ts';
import { readRecords, type StoredRecord } from '../records/read-records.ts';
import { auditValuesOf } from './audit-values.ts';
import { createStoredFiles } from './stored-files.ts';

/** The member who edits records at the desk. */
export interface EditRequest {
  actor: AuditActor;
  /** IP address. */
  address: string;
  /** Called at the start of the transaction. @returns whether the caller may still edit */
  mayEdit(transaction: Transaction): Promise<boolean>;
}

/** Reads and stores records in the transaction of an edit, during which no import writes. */
export interface RecordEditor {
  transaction: Transaction;
  /** @returns the stored record in its normal form; null for an unknown reference */
  read<List extends FeedList>(list: List, reference: string): Promise<FeedRecord<List> | null>;
  /**
   * Stores a record with the rules of the case feed. A new document has a file that was uploaded.
   * @throws DomainError `invalid_input` with the reason, `unavailable`
   */
  send<List extends FeedList>(list: List, record: FeedRecord<List>): Promise<void>;
  /**
   * Stores matters with the current path of their type instead of the one that they have.
   * @throws DomainError `invalid_input` with the reason
   */
  sendWithCurrentPath(matters: readonly FeedRecord<'matters'>[]): Promise<void>;
}

/**
 * Edits records of the case feed in one transaction. The version that the feed last sent is kept, so that an
 * unchanged feed changes nothing. Each changed record is audited.
 * @param work may run several times; one run is committed
 * @throws DomainError `unauthenticated` if the caller may no longer edit, `unavailable` during a long import, and the
 *   errors of `work`
 */
export async function editRecords<Result>(
  dependencies: ImportDependencies,
  request: EditRequest,
  work: (editor: RecordEditor) => Promise<Result>,
): Promise<Result> {
  try {
    return await runTransaction(dependencies.database, async (transaction) => {
      await lockFeed(transaction, { isDurable: true });
      if (!(await request.mayEdit(transaction))) throw new DomainError('unauthenticated');
      return work(createEditor(dependencies, request, transaction));
    });
  } catch (error) {
    throw error instanceof FeedBusy
      ? new DomainError('unavailable', { message: 'An import is in progress. Please try again in a minute.' })
      : error;
  }
}

function createEditor(
  dependencies: ImportDependencies,
  request: EditRequest,
  transaction: Transaction,
): RecordEditor {
  const target = createTarget(dependencies, request, transaction);
  const send = async <List extends FeedList>(
    list: List,
    records: readonly FeedRecord<List>[],
    paths: PathChoice,
  ) => {
    const { orders, add } = createFeedSummary();
    for (const record of records) add(list, record);
    const outcomes = await applyBatch(
      { ...target, paths },
      {
        list,
        records,
        placeOf: () => '',
        seen: createReferenceSet(records.length),
        order: list in orders ? orders[list as keyof typeof orders] : null,
      },
    );
    for (const outcome of outcomes) if ('rejected' in outcome) throw faultOfRecord(outcome.rejected, '');
  };
  const read = async <List extends FeedList>(list: List, reference: string) => {
    const found = (await readRecords(transaction, list, [reference])).get(reference);
    return (found?.record ?? null) as FeedRecord<List> | null;
  };
  return {
    transaction,
    read,
    send: (list, record) => send(list, [record], 'own'),
    sendWithCurrentPath: (matters) => send('matters', matters, 'current'),
  };
}

const createTarget = (
  dependencies: ImportDependencies,
  { actor, address }: EditRequest,
  transaction: Transaction,
): BatchTarget => ({
  source: 'desk',
  paths: 'own',
  dependencies,
  connection: transaction,
  files: createStoredFiles(transaction),
  // The installation already has cases.
  inTransaction: (work) => work(transaction, async () => {}),
  isExpected: () => true,
  auditChanges: async (_transaction, list, changes, stored) => {
    const references = changes.map(({ record: { reference } }) => reference);
    const written = await readRecords(transaction, list, references);
    await recordAudits(
      transaction,
      references.map((reference) => {
        const before = stored.get(reference);
        return {
          occurredAt: dependencies.clock(),
          actor,
          action: before ? 'desk.record_changed' : 'desk.record_added',
          subject: { kind: subjectKinds[list], id: reference },
          address,
          ...auditValuesOf(before && auditedRecord(before), auditedRecord(written.get(reference))),
        } as const;
      }),
    );
  },
});

/** A record as the audit log compares it: a matter with the version of its path. */
const auditedRecord = (stored: StoredRecord | undefined): object =>
  stored && stored.pathVersion !== null
    ? { ...stored.record, path_version: stored.pathVersion }
    : (stored?.record ?? {});
