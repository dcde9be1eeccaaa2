import { isDeepStrictEqual } from 'node:util';
import { type FeedList, feedRecords } from '@keyturn/contract';
import type { Transaction } from '../../../platform/database.ts';
import { isTakenEmail } from '../../../platform/is-taken-email.ts';
import { emailTaken } from '../../people/write-client.ts';
import { deskPrefix } from '../../records/desk-references.ts';
import { normalForm } from '../../records/normal-form.ts';
import { readRecords, type StoredRecord } from '../../records/read-records.ts';
import { writers } from '../../records/writers.ts';
import { RecordRejected } from '../documents/read-document.ts';
import { findKnown } from '../feed-store.ts';
import type { RecordProblem } from '../read-feed.ts';
import type {
  BatchContext,
  BatchTarget,
  BatchWriter,
  Change,
  KnownByReference,
  Outcome,
  Settle,
} from './batch-context.ts';
import { isUnchanged } from './find-changes.ts';
import { referencesOf } from './record-references.ts';

/**
 * Writes changes together. If the database rejects them, writes each half separately, down to the single record that
 * causes the error.
 */
export async function writeChanges(
  target: BatchTarget,
  list: FeedList,
  changes: readonly Change<FeedList>[],
  settle: Settle,
): Promise<void> {
  if (changes.length === 0) return;
  try {
    const planned = await target.inTransaction(async (transaction, claim) => {
      const batch = await planIn(transaction, target, list, changes);
      if (batch.accepted.length > 0) {
        await claim();
        await batch.writer.write();
        const isChanged = ({ index }: Change<FeedList>) => !batch.asStored.has(index);
        await target.auditChanges(transaction, list, batch.accepted.filter(isChanged), batch.stored);
        const references = batch.accepted.map(({ record: { reference } }) => reference);
        await target.onWritten?.(transaction, list, references);
      }
      return batch;
    });
    for (const [index, outcome] of planned.outcomes) settle(index, outcome);
  } catch (error) {
    const reason = reasonOfRefusal(error);
    if (reason === undefined) throw error;
    const [first] = changes;
    if (first && changes.length === 1) return settle(first.index, { place: '', reason });
    const middle = Math.ceil(changes.length / 2);
    await writeChanges(target, list, changes.slice(0, middle), settle);
    await writeChanges(target, list, changes.slice(middle), settle);
  }
}

/**
 * Plans changes and writes nothing. Settles those that are unchanged or rejected.
 * @returns the others; all changes if they cannot be planned together
 */
export async function planChanges(
  target: BatchTarget,
  list: FeedList,
  changes: readonly Change<FeedList>[],
  settle: Settle,
): Promise<Change<FeedList>[]> {
  if (changes.length === 0) return [];
  const planned = await target
    .inTransaction((transaction) => planIn(transaction, target, list, changes))
    .catch((error) => {
      if (reasonOfRefusal(error) === undefined) throw error;
      return { accepted: [...changes], outcomes: new Map<number, never>() };
    });
  const { accepted, outcomes } = planned;
  const isAccepted = new Set(accepted.map(({ index }) => index));
  for (const [index, outcome] of outcomes) if (!isAccepted.has(index)) settle(index, outcome);
  return accepted;
}

async function planIn(
  transaction: Transaction,
  { source, paths, dependencies: { clock, releaseSearch }, isExpected }: BatchTarget,
  list: FeedList,
  sent: readonly Change<FeedList>[],
) {
  const known = await findAllKnown(transaction, list, sent);
  // Another import may have written a record since it was looked up.
  const changes = sent.map((change) => {
    const stored = known[list].get(change.record.reference);
    const isNew = stored === undefined;
    const sent =
      source === 'feed' ? change.sent : { hash: stored?.hash ?? null, sentAt: stored?.sentAt ?? null };
    return { ...change, id: stored?.id ?? change.id, isNew, sent };
  });
  const openWriter = writers[list] as (context: BatchContext<FeedList>) => Promise<BatchWriter<FeedList>>;
  const writer = await openWriter({ clock, source, paths, transaction, releaseSearch, known, changes });
  const { stored, asStored: alike } = await findStoredAlike(transaction, list, changes);
  // A different path has other stages and another order, which records do not contain.
  const asStored = paths === 'current' ? new Set<number>() : alike;
  const outcomes = new Map<number, Outcome | RecordProblem>();
  const accepted: Change<FeedList>[] = [];
  for (const change of changes) {
    const { index, record, isNew } = change;
    if (!isExpected(list, record.reference, known[list].get(record.reference))) {
      outcomes.set(index, { place: '', reason: staleReason });
      continue;
    }
    // The version that the feed last sent lacks edits made at the desk since.
    if (source === 'desk' ? asStored.has(index) : isUnchanged(change, known[list].get(record.reference))) {
      outcomes.set(index, { result: 'unchanged' });
      continue;
    }
    try {
      if (source === 'feed' && isNew) refuseDeskReference(record.reference);
      known[list].set(record.reference, writer.plan(change));
      outcomes.set(index, { result: isNew ? 'created' : asStored.has(index) ? 'unchanged' : 'updated' });
      accepted.push(change);
    } catch (error) {
      if (!(error instanceof RecordRejected)) throw error;
      outcomes.set(index, { place: error.field, reason: error.message });
    }
  }
  return { writer, outcomes, accepted, stored, asStored };
}

/** A feed may change a record of the desk, but not choose a reference that the desk could choose. */
function refuseDeskReference(reference: string): void {
  if (reference.startsWith(deskPrefix))
    throw new RecordRejected(
      '/reference',
      `starts with ${deskPrefix}, which is only for records added at the desk`,
    );
}

/**
 * Finds changes that equal the stored state, because the form differs or a client acted first. They are written, so
 * that the next import knows what the firm last sent, but count as unchanged.
 * @returns their indexes, and the stored records of all changes by reference
 */
async function findStoredAlike(
  transaction: Transaction,
  list: FeedList,
  changes: readonly Change<FeedList>[],
): Promise<{ stored: Map<string, StoredRecord>; asStored: Set<number> }> {
  const updates = changes.filter(({ isNew, passwordHash }) => !isNew && passwordHash === null);
  const references = updates.map(({ record: { reference } }) => reference);
  const stored = await readRecords(transaction, list, references);
  const isAlike = ({ record, position, file }: Change<FeedList>) => {
    const found = stored.get(record.reference);
    return (
      found !== undefined &&
      found.position === position &&
      found.sha256 === (file?.sha256 ?? null) &&
      isDeepStrictEqual(found.record, normalForm(list, record, found.path))
    );
  };
  return { stored, asStored: new Set(updates.filter(isAlike).map(({ index }) => index)) };
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
const recordCodes = ['22003', '22008', '22P02', '23502', '23503', '23505', '23514'];
/** SQLSTATEs of conflicts with other transactions: a timeout of a statement or a lock, or a deadlock. */
const contentionCodes = ['40001', '40P01', '55P03', '57014'];

/** The reason for rejecting a record that can be sent again unchanged. */
export const inUseReason = 'was in use for too long: import the feed again';

/** The reason for rejecting a record that has changed since its sender read it. */
export const staleReason = 'was changed by someone else: read it again';

/**
 * Explains why the database refused changes: some constraints can only be checked there.
 * @returns undefined for an error that no record caused
 */
function reasonOfRefusal(error: unknown): string | undefined {
  if (isTakenEmail(error)) return emailTaken;
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const { code = '', constraint } = cause as { code?: string; constraint?: string };
    if (recordCodes.includes(code)) return `violates a constraint (${constraint ?? cause.message})`;
    if (contentionCodes.includes(code)) return inUseReason;
  }
  return undefined;
}
