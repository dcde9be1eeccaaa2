import type { FeedList, FeedRecord } from '@keyturn/contract';
import type { Transaction } from '../../../platform/database.ts';
import { findSqlState } from '../../../platform/run-transaction.ts';
import { withDeskChoices } from '../../documents/desk-signing.ts';
import { planChanges, reasonOfRefusal } from '../../records/plan-changes.ts';
import { deskPrefix } from '../../records/references.ts';
import { RecordRejected } from '../../records/rejected-record.ts';
import type { BatchTarget, SentChange, Settle } from './batch-context.ts';
import { isUnchanged } from './find-changes.ts';
import { lockCasesOf } from './lock-cases.ts';

/**
 * Writes changes together. If the database rejects them, writes each half separately, down to the single record that
 * causes the error.
 */
export async function writeChanges(
  target: BatchTarget,
  list: FeedList,
  changes: readonly SentChange[],
  settle: Settle,
): Promise<void> {
  if (changes.length === 0) return;
  try {
    const planned = await target.inTransaction(async (transaction, claim) => {
      const batch = await planSent(transaction, target, list, changes);
      if (batch.accepted.length > 0) {
        await claim();
        await batch.writer.write();
        const changed = batch.accepted.filter(({ index }) => !batch.asStored.has(index));
        await target.auditChanges(transaction, list, changed);
        const references = batch.accepted.map(({ record: { reference } }) => reference);
        await target.onWritten?.(transaction, list, references);
      }
      return batch;
    });
    for (const [index, outcome] of planned.outcomes) settle(index, outcome);
  } catch (error) {
    const reason = reasonOfFailure(error);
    if (reason === undefined) throw error;
    const [first] = changes;
    if (first && changes.length === 1) return settle(first.index, { place: '', reason });
    const middle = Math.ceil(changes.length / 2);
    await writeChanges(target, list, changes.slice(0, middle), settle);
    await writeChanges(target, list, changes.slice(middle), settle);
  }
}

/**
 * Plans documents before their files are stored, and writes nothing. Settles those that are unchanged or rejected.
 * @returns the others; all changes if they cannot be planned together
 */
export async function planDocuments(
  target: BatchTarget,
  changes: readonly SentChange[],
  settle: Settle,
): Promise<SentChange[]> {
  if (changes.length === 0) return [];
  const planned = await target
    .inTransaction((transaction) => planSent(transaction, target, 'documents', changes))
    .catch((error) => {
      if (reasonOfFailure(error) === undefined) throw error;
      return { accepted: [...changes], outcomes: new Map<number, never>() };
    });
  const { accepted, outcomes } = planned;
  const isAccepted = new Set(accepted.map(({ index }) => index));
  for (const [index, outcome] of outcomes) if (!isAccepted.has(index)) settle(index, outcome);
  return changes.filter(({ index }) => isAccepted.has(index));
}

async function planSent(
  transaction: Transaction,
  { dependencies: { clock, releaseSearch }, isExpected, isDryRun }: BatchTarget,
  list: FeedList,
  changes: readonly SentChange[],
) {
  const records = changes.map(({ record }) => record);
  if (!isDryRun) await lockCasesOf(transaction, list, records);
  const current = list === 'documents' ? await addDeskChoices(transaction, changes) : changes;
  return planChanges(transaction, list, current, {
    source: 'feed',
    paths: 'own',
    clock,
    releaseSearch,
    sentVersion: ({ sent }) => sent,
    assertWritable: ({ record: { reference } }, stored) => {
      if (!isExpected(list, reference, stored)) throw new RecordRejected('', staleReason);
      if (stored === undefined) refuseDeskReference(reference);
    },
    // The version that the feed last sent lacks edits made at the desk since.
    isUnchanged,
  });
}

/** Adds what the desk has decided, now that the case is locked. */
async function addDeskChoices(
  transaction: Transaction,
  changes: readonly SentChange[],
): Promise<readonly SentChange[]> {
  const records = await withDeskChoices(
    transaction,
    changes.map(({ record }) => record as FeedRecord<'documents'>),
  );
  return changes.map((change, position) => ({ ...change, record: records[position] ?? change.record }));
}

/** A feed may change a record of the desk, but not choose a reference that the desk could choose. */
function refuseDeskReference(reference: string): void {
  if (reference.startsWith(deskPrefix))
    throw new RecordRejected(
      '/reference',
      `starts with ${deskPrefix}, which is only for records added at the desk`,
    );
}

/** SQLSTATEs of conflicts with other transactions: a timeout of a statement or a lock, or a deadlock. */
const contentionCodes = ['40001', '40P01', '55P03', '57014'];

/** The reason for rejecting a record that can be sent again unchanged. */
export const inUseReason = 'was in use for too long: import the feed again';

/** The reason for rejecting a record that has changed since its sender read it. */
export const staleReason = 'was changed by someone else: read it again';

const reasonOfFailure = (error: unknown): string | undefined =>
  reasonOfRefusal(error) ?? (contentionCodes.includes(findSqlState(error) ?? '') ? inUseReason : undefined);
