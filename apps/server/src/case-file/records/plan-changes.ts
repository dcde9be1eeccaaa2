import { isDeepStrictEqual } from 'node:util';
import { type FeedList, feedRecords } from '@keyturn/contract';
import type { Transaction } from '../../platform/database.ts';
import { isTakenEmail } from '../../platform/is-taken-email.ts';
import { emailTaken } from '../people/write-client.ts';
import { findKnown, type Known, type LastSent } from './find-known.ts';
import type { RecordProblem } from './find-problem.ts';
import { assertNearDays } from './near-days.ts';
import { normalForm, readRecords, type StoredRecord } from './read-records.ts';
import type { Change, KnownByReference, RecordWriter, WriterContext } from './record-writer.ts';
import { referencesOf } from './references.ts';
import { RecordRejected } from './rejected-record.ts';
import { writers } from './writers.ts';

/** What decides whether a change of a list is written. */
export interface PlanOptions<Sent extends Change<FeedList>>
  extends Pick<WriterContext<FeedList>, 'clock' | 'source' | 'paths' | 'releaseSearch'> {
  /** @returns the version that the record has once it is written: what the feed last sent */
  sentVersion(change: Sent, stored: Known | undefined): LastSent;
  /** @throws RecordRejected if the record must not be written */
  assertWritable?(change: Sent, stored: Known | undefined): void;
  /** The stored records, if the caller has read them. */
  stored?: ReadonlyMap<string, StoredRecord>;
  /** @param isAsStored whether the record equals the stored one */
  isUnchanged(change: Sent, stored: Known | undefined, isAsStored: boolean): boolean;
}

/** Changes that are ready to be written. */
export interface PlannedChanges<Sent extends Change<FeedList>> {
  writer: RecordWriter<FeedList>;
  accepted: Sent[];
  outcomes: Map<number, { result: 'created' | 'updated' | 'unchanged' } | RecordProblem>;
  /** The indexes of changes that equal what is stored. */
  asStored: Set<number>;
}

/** Reads and locks what decides about changes of one list, and plans them. Writes nothing. */
export async function planChanges<Sent extends Change<FeedList>>(
  transaction: Transaction,
  list: FeedList,
  sent: readonly Sent[],
  options: PlanOptions<Sent>,
): Promise<PlannedChanges<Sent>> {
  const { clock, source, paths, releaseSearch, sentVersion, assertWritable, isUnchanged } = options;
  const known = await findAllKnown(transaction, list, sent);
  // Another transaction may have written a record since it was looked up.
  const changes = sent.map((change) => {
    const stored = known[list].get(change.record.reference);
    return {
      ...change,
      id: stored?.id ?? change.id,
      isNew: stored === undefined,
      sent: sentVersion(change, stored),
    };
  });
  const openWriter = writers[list] as (context: WriterContext<FeedList>) => Promise<RecordWriter<FeedList>>;
  const writer = await openWriter({ clock, source, paths, transaction, releaseSearch, known, changes });
  const references = changes.filter(({ isNew }) => !isNew).map(({ record: { reference } }) => reference);
  const storedRecords = options.stored ?? (await readRecords(transaction, list, references));
  const alike = findStoredAlike(list, changes, storedRecords);
  // A different path has other stages and another order, which records do not contain.
  const asStored = paths === 'current' ? new Set<number>() : alike;
  const outcomes: PlannedChanges<Sent>['outcomes'] = new Map();
  const accepted: Sent[] = [];
  const now = clock();
  for (const change of changes) {
    const { index, record, isNew } = change;
    try {
      assertWritable?.(change, known[list].get(record.reference));
      if (isUnchanged(change, known[list].get(record.reference), asStored.has(index))) {
        outcomes.set(index, { result: 'unchanged' });
        continue;
      }
      assertNearDays(list, record, { now, readStored: () => storedRecords.get(record.reference)?.record });
      known[list].set(record.reference, writer.plan(change));
      outcomes.set(index, { result: isNew ? 'created' : asStored.has(index) ? 'unchanged' : 'updated' });
      accepted.push(change);
    } catch (error) {
      if (!(error instanceof RecordRejected)) throw error;
      outcomes.set(index, error.problem);
    }
  }
  return { writer, outcomes, accepted, asStored };
}

/**
 * Finds changes that equal the stored state, because the form differs or a client acted first. They are written, so
 * that the next import knows what the firm last sent, but count as unchanged.
 * @returns their indexes
 */
function findStoredAlike(
  list: FeedList,
  changes: readonly Change<FeedList>[],
  stored: ReadonlyMap<string, StoredRecord>,
): Set<number> {
  const updates = changes.filter(({ isNew, passwordHash }) => !isNew && passwordHash === null);
  const isAlike = ({ record, position, file }: Change<FeedList>) => {
    const found = stored.get(record.reference);
    return (
      found !== undefined &&
      found.position === position &&
      found.sha256 === (file?.sha256 ?? null) &&
      isDeepStrictEqual(found.record, normalForm(list, record, found.path))
    );
  };
  return new Set(updates.filter(isAlike).map(({ index }) => index));
}

/** Looks up the records themselves and all that they refer to, with one statement for each list. */
async function findAllKnown(
  transaction: Transaction,
  list: FeedList,
  changes: readonly Change<FeedList>[],
): Promise<KnownByReference> {
  const known = Object.fromEntries(
    Object.keys(feedRecords).map((each) => [each, new Map()]),
  ) as unknown as KnownByReference;
  const records = changes.map(({ record }) => record);
  for (const [to, references] of referencesOf(list, records)) {
    known[to] = await findKnown(transaction, to, references);
  }
  return known;
}

/** SQLSTATEs of records that PostgreSQL refuses. */
const refusals = new Set(['22003', '22008', '22P02', '23502', '23503', '23505', '23514']);

/**
 * Explains why the database refused changes: some constraints can only be checked there.
 * @returns undefined for an error that no record caused
 */
export function reasonOfRefusal(error: unknown): string | undefined {
  if (isTakenEmail(error)) return emailTaken;
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const { code = '', constraint } = cause as { code?: string; constraint?: string };
    if (refusals.has(code)) return `violates a constraint (${constraint ?? cause.message})`;
  }
  return undefined;
}
