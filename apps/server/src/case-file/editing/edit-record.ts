import { isDeepStrictEqual } from 'node:util';
import type { FeedList, FeedRecord } from '@keyturn/contract';
import type { DeskCase } from '@keyturn/contract/staff';
import { DomainError } from '../../platform/domain-error.ts';
import {
  ChangedMeanwhile,
  type EditDependencies,
  type EditRequest,
  editCase,
  type RecordEditor,
} from './edit-case.ts';
import { type EditedKind, type LockedRecord, lockRecord } from './lock-record.ts';

/** An edit of one record that is based on a version. */
export interface EditedVersion {
  kind: EditedKind;
  id: string;
  version: string;
}

/** How an edit changes a record of the case feed. */
export interface RecordChange<List extends FeedList> {
  list: List;
  /** @returns the changed record @throws DomainError if the edit is not possible */
  change(record: FeedRecord<List>, locked: LockedRecord): FeedRecord<List>;
  /** Stores further records that belong to the edit, such as a task. Not called if nothing changes. */
  storeBefore?(editor: RecordEditor, record: FeedRecord<List>, locked: LockedRecord): Promise<void>;
  storeAfter?(editor: RecordEditor, record: FeedRecord<List>, locked: LockedRecord): Promise<void>;
}

/**
 * Changes a record in one transaction.
 * @returns the record before and after, and the case
 * @throws DomainError as `editCase`; `changed_meanwhile` if the edit is based on another version and would change the record
 */
export async function editRecord<List extends FeedList>(
  dependencies: EditDependencies,
  request: EditRequest,
  edited: EditedVersion,
  { list, change, storeBefore, storeAfter }: RecordChange<List>,
): Promise<{ before: FeedRecord<List>; after: FeedRecord<List>; locked: LockedRecord; found: DeskCase }> {
  const result = await editCase(dependencies, request, edited, async (editor, ofCase) => {
    const locked = await lockRecord(editor.transaction, edited, ofCase);
    const before = await readExisting(editor, list, locked.reference);
    const after = changeVersion(locked, edited.version, before, () => change(before, locked));
    if (isAlike(before, after)) return { before, after: before, locked };
    await storeBefore?.(editor, after, locked);
    const [stored = before] = await editor.store(list, [after]);
    if (!storeAfter) return { before, after: stored, locked };
    await storeAfter(editor, after, locked);
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
