import { type FeedList, type FeedRecord, feedRecords } from '@keyturn/contract';
import type { InputProblem } from '../../../platform/requests/find-problems.ts';
import { findProblem, type RecordProblem, withOthers } from '../../records/find-problem.ts';
import { referenceOf } from '../../records/references.ts';
import type { Batch, BatchTarget, Outcome } from './batch-context.ts';
import { findChanges } from './find-changes.ts';
import { slicesOf, writeSlice } from './write-slice.ts';

/**
 * Applies the records of a batch: creates new ones, updates changed ones and leaves unchanged ones alone. An invalid
 * record is rejected with its place and reason; the others are written, each completely.
 * @returns the outcome of each record
 */
export async function applyBatch(target: BatchTarget, batch: Batch): Promise<Outcome[]> {
  const outcomes = new Map<number, Outcome>();
  const reject = (index: number, { others = [], ...first }: RecordProblem) => {
    const reference = referenceOf(batch.records[index]);
    const inFeed = ({ place, reason }: InputProblem) => ({
      place: reportable(batch.placeOf(index) + place),
      reason,
    });
    outcomes.set(index, {
      rejected: {
        ...withOthers(inFeed(first), others.map(inFeed)),
        reference: reference && reportable(reference),
      },
    });
  };
  const valid = new Map<number, FeedRecord<FeedList>>();
  for (const [index, record] of batch.records.entries()) {
    const duplicate = findDuplicate(batch, record);
    const problem = findProblem(feedRecords[batch.list], record, '') ?? duplicate;
    if (problem) reject(index, problem);
    else valid.set(index, record as FeedRecord<FeedList>);
  }
  const changes = await findChanges(target, batch, valid, outcomes, reject);
  const settle = (index: number, outcome: Outcome | RecordProblem) =>
    'place' in outcome ? reject(index, outcome) : outcomes.set(index, outcome);
  for (const slice of slicesOf(batch.list, changes)) await writeSlice(target, batch.list, slice, settle);
  return batch.records.map((_record, index) => outcomes.get(index) ?? { result: 'unchanged' });
}

/** Shortens text of an invalid record, and removes characters that PostgreSQL cannot store. */
const reportable = (text: string) => text.slice(0, 200).toWellFormed().replaceAll('\0', '');

function findDuplicate({ seen }: Batch, record: unknown): RecordProblem | null {
  const reference = referenceOf(record);
  return reference !== null && !seen.add(reference)
    ? { place: '/reference', reason: 'duplicate reference' }
    : null;
}
