import type { FeedRecord } from '@keyturn/contract';
import type { DeskTask, TaskEdit } from '@keyturn/contract/staff';
import { sql } from 'drizzle-orm';
import type { Transaction } from '../../platform/database.ts';
import { notPossible } from '../../platform/domain-error.ts';
import { findSignedByAll } from '../../platform/signed-by-all.ts';
import { findInCase } from '../cases/read-desk-case.ts';
import type { EditDependencies, EditRequest } from '../editing/edit-case.ts';
import { editRecord, readExisting, restoringChanges, withChanges } from '../editing/edit-record.ts';

const editedFields = ['status', 'title', 'explanation', 'due_on'] as const;

/**
 * Edits, completes or reopens a task.
 * @throws DomainError `not_found`, `invalid_input`, `edit_not_possible`, `changed_meanwhile`, `unavailable`
 */
export async function editTask(
  dependencies: EditDependencies,
  request: EditRequest,
  id: string,
  { version, changes }: TaskEdit,
): Promise<{ task: DeskTask; undo: TaskEdit | null }> {
  const { before, after, found } = await editRecord(
    dependencies,
    request,
    { kind: 'task', id, version },
    {
      list: 'tasks',
      change: (task) => withChanges(task, changes),
      storeBefore: async ({ transaction }, task, { caseId }) => {
        if (changes.status === 'done') await assertNothingLeftToDo(transaction, task, caseId);
        if (task.status === 'open') await assertNotWithdrawn(transaction, task);
      },
      storeAfter: async (editor, sent) => {
        // A payment or signatures have completed it.
        const { status } = await readExisting(editor, 'tasks', sent.reference);
        if (status !== sent.status)
          throw notPossible('The clients have done this task, so it can’t be opened again. Add a new one.');
      },
    },
  );
  const task = findInCase(found, 'task', id) as DeskTask;
  const restored = restoringChanges(before, after, editedFields);
  return { task, undo: restored && { version: task.version, changes: restored } };
}

type TaskRecord = FeedRecord<'tasks'>;

/** Tasks to pay for a search or to sign follow from what is due: done by hand, they would contradict it. */
async function assertNothingLeftToDo(
  transaction: Transaction,
  { kind, search, document }: TaskRecord,
  caseId: string,
): Promise<void> {
  if (kind === 'pay_search') {
    const { rowCount } = await transaction.execute(
      sql`select from case_searches where reference = ${search ?? null} and status = 'awaiting_payment'`,
    );
    if (rowCount)
      throw notPossible(
        'The search is still due, so this task can’t be done yet. It’s done once the clients have paid, or when you record the order of the search or cancel it under Searches.',
      );
  }
  if (kind !== 'sign_document') return;
  const { rows } = await transaction.execute<{ id: string; isOnPaper: boolean }>(sql`
    select document.id, document.signing <> 'simple' as "isOnPaper" from documents document
    where document.reference = ${document ?? null} and document.signing is not null
      and document.received_on is null and document.withdrawn_at is null
      and not exists (
        select from documents newer where newer.supersedes_id = document.id and newer.withdrawn_at is null)`);
  const [toSign] = rows;
  if (!toSign) return;
  if (toSign.isOnPaper)
    throw notPossible(
      'The signed paper hasn’t been received, so this task can’t be done yet. Edit the document under Documents and enter the day you received it, or choose “No signature”.',
    );
  if ((await findSignedByAll(transaction, [{ documentId: toSign.id, caseId }])).size === 0)
    throw notPossible(
      'Not everyone has signed, so this task can’t be done yet. If you no longer need the signatures, edit the document under Documents and choose “No signature”.',
    );
}

async function assertNotWithdrawn(transaction: Transaction, { document }: TaskRecord): Promise<void> {
  if (document === undefined) return;
  const { rowCount } = await transaction.execute(
    sql`select from documents where reference = ${document} and withdrawn_at is not null`,
  );
  if (rowCount)
    throw notPossible('Its document was withdrawn, so this task can’t be opened again. Add a new one.');
}
