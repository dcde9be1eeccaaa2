import { type CaseStatus, caseStatusOf, type FeedRecord } from '@keyturn/contract';
import type { StatusEdit } from '@keyturn/contract/staff';
import { formatDay, londonDay } from '@keyturn/format/london-time';
import { sql } from 'drizzle-orm';
import type { Transaction } from '../../platform/database.ts';
import { invalidInput, notPossible } from '../../platform/domain-error.ts';
import type { EditRequest, RecordEditor } from '../editing/edit-case.ts';
import { type EditDependencies, editCase } from '../editing/edit-case.ts';
import {
  changeVersion,
  isAlike,
  readExisting,
  restoringChanges,
  withChanges,
} from '../editing/edit-record.ts';
import { type LockedCase, lockRecord } from '../editing/lock-record.ts';
import { addUpdate } from '../history/send-update.ts';

type MatterEdit = StatusEdit['matters'][number];

/**
 * Changes the status of matters of a case, and with them that of the case, and sends an update about it to the clients, in
 * one transaction. Sending the same request again changes nothing more.
 * @returns the status of the case; `undo` is null if an update was sent, because the clients may have read it
 * @throws DomainError `not_found`, `invalid_input`, `edit_not_possible`, `changed_meanwhile`, `unavailable`
 */
export async function editStatus(
  dependencies: EditDependencies,
  request: EditRequest,
  caseId: string,
  edit: StatusEdit,
): Promise<{ status: CaseStatus; undo: StatusEdit | null }> {
  const now = dependencies.clock();
  const { status, restored } = await editCase(
    dependencies,
    request,
    { kind: 'case', id: caseId },
    async (editor, ofCase) => {
      const changed: Omit<MatterEdit, 'version'>[] = [];
      for (const [index, matter] of edit.matters.entries()) {
        const former = await changeMatter(editor, ofCase, matter, {
          field: `matters.${index}.completed_on`,
          today: londonDay(now),
          isUndo: edit.is_undo === true,
        });
        if (former) changed.push(former);
      }
      const current = await followMatters(editor, ofCase);
      if (edit.update)
        await addUpdate(editor, edit.update, {
          ofCase: ofCase.caseReference,
          author: request.actor.name,
          now,
        });
      return { status: current, restored: changed };
    },
  );
  if (edit.update || restored.length === 0) return { status, undo: null };
  const { matters } = await dependencies.readCase(dependencies.database, caseId);
  const versionOf = (id: string) => matters.find((matter) => matter.id === id)?.version ?? '';
  return {
    status,
    undo: {
      matters: restored.map((matter) => ({ ...matter, version: versionOf(matter.id) })),
      update: null,
      is_undo: true,
    },
  };
}

/** @returns the edit that restores the matter; null if nothing has changed */
async function changeMatter(
  editor: RecordEditor,
  ofCase: LockedCase,
  { id, version, ...change }: MatterEdit,
  context: { field: string; today: string; isUndo: boolean },
): Promise<Omit<MatterEdit, 'version'> | null> {
  const locked = await lockRecord(editor.transaction, { kind: 'matter', id }, ofCase);
  const before = await readExisting(editor, 'matters', locked.reference);
  const after = changeVersion(locked, version, before, () => {
    const changed = withChanges(before, change);
    if (!context.isUndo) checkStatus(changed, context);
    return changed;
  });
  if (isAlike(before, after)) return null;
  await editor.store('matters', [after]);
  return { id, status: before.status, ...restoringChanges(before, after, ['completed_on']) };
}

/** @throws DomainError if what clients would read is not true, such as that a matter without a day is completed */
function checkStatus(
  { status, completed_on }: FeedRecord<'matters'>,
  { field, today }: { field: string; today: string },
): void {
  if (status === 'completed' && !completed_on)
    throw invalidInput(field, 'Clients see on which day the matter was completed. Enter the day.');
  if (completed_on && completed_on > today)
    throw invalidInput(field, 'This day is in the future. Enter the day on which the matter was completed.');
  if (status === 'abandoned' && completed_on)
    throw notPossible(
      `This matter was completed on ${formatDay(completed_on)}, so it cannot have been abandoned. If that is wrong, correct its key dates first.`,
    );
}

/** Gives a case the status that follows from its matters. @returns that status */
async function followMatters(
  editor: RecordEditor,
  { caseId, caseReference }: LockedCase,
): Promise<CaseStatus> {
  const status = caseStatusOf(await readMatterStatuses(editor.transaction, caseId));
  const stored = await readExisting(editor, 'cases', caseReference);
  if (stored.status !== status) await editor.store('cases', [{ ...stored, status }]);
  return status;
}

async function readMatterStatuses(transaction: Transaction, caseId: string): Promise<CaseStatus[]> {
  const { rows } = await transaction.execute<{ status: CaseStatus }>(
    sql`select status from matters where case_id = ${caseId}`,
  );
  return rows.map(({ status }) => status);
}
