import { isDeepStrictEqual } from 'node:util';
import type { FeedList, FeedRecord } from '@keyturn/contract';
import type { DeskCase, RecordConflict } from '@keyturn/contract/staff';
import { formatDay, formatTime, londonDay } from '@keyturn/format/london-time';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import { DomainError } from '../../platform/domain-error.ts';
import type { ReadDeskCase } from '../cases/read-desk-case.ts';
import { findLastChange } from './find-last-change.ts';
import { type EditedKind, type LockedRecord, lockRecord } from './lock-record.ts';
import type { CaseFeedEditing, EditRequest, RecordEditor } from './ports.ts';

export interface EditDependencies {
  database: Database;
  clock: Clock;
  feed: CaseFeedEditing;
  readCase: ReadDeskCase;
}

/** An edit of one record that is based on a version. */
export interface EditedVersion {
  kind: EditedKind;
  id: string;
  version: string;
}

/** Thrown in the transaction of an edit: someone else has changed the record. */
export class ChangedMeanwhile extends Error {
  readonly record: LockedRecord;
  constructor(record: LockedRecord) {
    super(`${record.kind} ${record.reference} was changed meanwhile`);
    this.record = record;
  }
}

/** How an edit changes a record of the case feed. */
export interface RecordChange<List extends FeedList> {
  list: List;
  /** @returns the changed record @throws DomainError if the edit is not possible */
  change(record: FeedRecord<List>, locked: LockedRecord): FeedRecord<List>;
  /** Sends further records that belong to the edit, such as a task. Not called if nothing changes. */
  sendBefore?(editor: RecordEditor, record: FeedRecord<List>, locked: LockedRecord): Promise<void>;
  sendAfter?(editor: RecordEditor, record: FeedRecord<List>, locked: LockedRecord): Promise<void>;
}

/**
 * Changes a record in one transaction.
 * @returns the record before and after, and the case
 * @throws DomainError `changed_meanwhile` if the edit is based on another version and would change the record
 */
export async function editRecord<List extends FeedList>(
  dependencies: EditDependencies,
  request: EditRequest,
  edited: EditedVersion,
  { list, change, sendBefore, sendAfter }: RecordChange<List>,
): Promise<{ before: FeedRecord<List>; after: FeedRecord<List>; locked: LockedRecord; found: DeskCase }> {
  const result = await runEdit(dependencies, request, async (editor) => {
    const locked = await lockRecord(editor.transaction, edited.kind, edited.id);
    const before = await readExisting(editor, list, locked.reference);
    const after = changeVersion(locked, edited.version, before, () => change(before, locked));
    if (!isAlike(before, after)) {
      await sendBefore?.(editor, after, locked);
      await editor.send(list, after);
      await sendAfter?.(editor, after, locked);
    }
    return { before, after: await readExisting(editor, list, locked.reference), locked };
  });
  return { ...result, found: await dependencies.readCase(dependencies.database, result.locked.caseId) };
}

/**
 * Applies a change to a record. A change that is already in effect is accepted for any version, because the request
 * was repeated or two members did the same.
 */
export function changeVersion<Value>(
  locked: LockedRecord,
  version: string,
  before: Value,
  change: () => Value,
): Value {
  if (locked.version === version) return change();
  let after: Value;
  try {
    after = change();
  } catch (error) {
    throw error instanceof DomainError ? new ChangedMeanwhile(locked) : error;
  }
  if (!isAlike(before, after)) throw new ChangedMeanwhile(locked);
  return before;
}

/** Whether two records are the same, without fields that are undefined. */
export const isAlike = (left: unknown, right: unknown): boolean =>
  isDeepStrictEqual(JSON.parse(JSON.stringify(left)), JSON.parse(JSON.stringify(right)));

export async function readExisting<List extends FeedList>(
  editor: RecordEditor,
  list: List,
  reference: string,
): Promise<FeedRecord<List>> {
  const record = await editor.read(list, reference);
  if (!record) throw new Error(`${list} ${reference} was locked and cannot be read`);
  return record;
}

/** Runs work in the transaction of an edit. @throws DomainError `changed_meanwhile` with the current record */
export async function runEdit<Result>(
  dependencies: EditDependencies,
  request: EditRequest,
  work: (editor: RecordEditor) => Promise<Result>,
): Promise<Result> {
  try {
    return await dependencies.feed.editRecords(request, work);
  } catch (error) {
    throw error instanceof ChangedMeanwhile ? await explainConflict(dependencies, error.record) : error;
  }
}

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

/** Finds a record in a case. */
export function findInCase(found: DeskCase, kind: EditedKind, id: string): object | null {
  const all: Record<EditedKind, readonly { id: string }[]> = {
    milestone: found.matters.flatMap(({ milestones }) => milestones),
    matter: found.matters,
    search: found.searches,
    document: found.documents,
    task: found.tasks,
  };
  return all[kind].find((record) => record.id === id) ?? null;
}

/**
 * Lists the fields that an edit has changed, with their former values, to restore them.
 * @returns null if none has changed
 */
export function restoringChanges(
  before: object,
  after: object,
  fields: readonly string[],
): Record<string, unknown> | null {
  const [former, latter] = [before, after] as Record<string, unknown>[];
  const changed = fields.filter((field) => !isAlike(former?.[field] ?? null, latter?.[field] ?? null));
  if (changed.length === 0) return null;
  return Object.fromEntries(changed.map((field) => [field, former?.[field] ?? null]));
}

/** Applies the changes of an edit: null removes a field, and one that is left out stays. */
export const withChanges = <Value extends object>(record: Value, changes: object): Value =>
  Object.fromEntries(
    Object.entries({ ...record, ...changes }).filter(([, value]) => value !== null && value !== undefined),
  ) as Value;

export const notPossible = (message: string) => new DomainError('edit_not_possible', { message });
