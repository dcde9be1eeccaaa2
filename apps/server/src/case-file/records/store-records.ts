import { type FeedList, type FeedRecord, feedRecords } from '@keyturn/contract';
import type { Transaction } from '../../platform/database.ts';
import { newId } from '../../platform/ids.ts';
import type { InputProblem } from '../../platform/requests/find-problems.ts';
import { findFileOfRecord } from '../documents/stored-files.ts';
import { findKnown, findStoredPositions } from './find-known.ts';
import { findProblem, type RecordProblem, withOthers } from './find-problem.ts';
import { planChanges, reasonOfRefusal } from './plan-changes.ts';
import { readRecords, type StoredRecord } from './read-records.ts';
import { isOrdered, parentOfList } from './record-definitions.ts';
import type { Change, PathChoice, WriterContext } from './record-writer.ts';
import { parentReferenceOf } from './references.ts';
import { faultOfRecord } from './rejected-record.ts';

/**
 * Stores records of one case, with the rules of the case feed. The version that the feed last sent stays. Expects the
 * case to be locked.
 * @param options.paths the path of stored matters
 * @returns the references of the records that have changed, and the records before
 * @throws DomainError `invalid_input` with the reason for which a record is rejected
 */
export async function storeRecords<List extends FeedList>(
  { clock, releaseSearch }: Pick<WriterContext<List>, 'clock' | 'releaseSearch'>,
  transaction: Transaction,
  {
    list,
    records,
    paths,
  }: {
    list: List;
    records: readonly FeedRecord<List>[];
    paths: PathChoice;
  },
): Promise<{ changed: string[]; before: ReadonlyMap<string, StoredRecord> }> {
  for (const record of records) {
    const problem = findProblem(feedRecords[list], record, '');
    if (problem) throw faultOfRecord(problem);
  }
  const stored = await readRecords(
    transaction,
    list,
    records.map(({ reference }) => reference),
  );
  const changes = await changesOf(transaction, list, records, stored);
  const planned = await planChanges(transaction, list, changes, {
    source: 'desk',
    paths,
    clock,
    releaseSearch,
    stored,
    sentVersion: (_change, known) => ({ hash: known?.hash ?? null, sentAt: known?.sentAt ?? null }),
    isUnchanged: (_change, _known, isAsStored) => isAsStored,
  });
  for (const outcome of planned.outcomes.values())
    if ('place' in outcome) throw faultOfRecord(inMilestone(outcome));
  if (planned.accepted.length > 0) {
    await planned.writer.write().catch((error: unknown) => {
      const reason = reasonOfRefusal(error);
      throw reason === undefined ? error : faultOfRecord({ place: '', reason });
    });
  }
  return { changed: planned.accepted.map(({ record }) => record.reference), before: stored };
}

/** Names a field of a milestone as the desk does, which edits one at a time. */
const inMilestone = ({ others = [], ...first }: RecordProblem): RecordProblem => {
  const named = ({ place, reason }: InputProblem) => ({
    place: place.replace(/^\/milestones\/\d+/, ''),
    reason,
  });
  return withOthers(named(first), others.map(named));
};

async function changesOf<List extends FeedList>(
  transaction: Transaction,
  list: List,
  records: readonly FeedRecord<List>[],
  stored: ReadonlyMap<string, StoredRecord>,
): Promise<Change<List>[]> {
  const added = records.filter(({ reference }) => !stored.has(reference));
  const positions = await findNextPositions(transaction, list, added);
  const changes: Change<List>[] = [];
  for (const [index, record] of records.entries()) {
    const { reference } = record;
    changes.push({
      index,
      record,
      id: newId(),
      isNew: true,
      position: stored.get(reference)?.position ?? positions.get(reference) ?? 0,
      sent: { hash: null, sentAt: null },
      file:
        list === 'documents' ? await findFileOfRecord(transaction, record as FeedRecord<'documents'>) : null,
      hasNoPassword: false,
      passwordHash: null,
    });
  }
  return changes;
}

/** Finds the positions of new records: after those that are stored. @returns by reference; empty for a list without an order */
async function findNextPositions(
  transaction: Transaction,
  list: FeedList,
  records: readonly FeedRecord<FeedList>[],
): Promise<Map<string, number>> {
  if (!isOrdered(list) || records.length === 0) return new Map();
  const parentReferences = records.flatMap((record) => parentReferenceOf(list, record) ?? []);
  const parents = await findKnown(transaction, parentOfList[list].list, parentReferences);
  const members = await findStoredPositions(
    transaction,
    list,
    [...parents.values()].map(({ id }) => id),
  );
  const positions = new Map<string, number>();
  const last = new Map<string | undefined, number>();
  for (const { parent, position } of members) last.set(parent, Math.max(last.get(parent) ?? -1, position));
  for (const record of records) {
    const parent = parents.get(parentReferenceOf(list, record) ?? '')?.id;
    const next = (last.get(parent) ?? -1) + 1;
    last.set(parent, next);
    positions.set(record.reference, next);
  }
  return positions;
}
