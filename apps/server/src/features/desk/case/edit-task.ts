import type { DeskTask, TaskEdit } from '@keyturn/contract/staff';
import { sql } from 'drizzle-orm';
import {
  type EditDependencies,
  editRecord,
  findInCase,
  notPossible,
  readExisting,
  restoringChanges,
  withChanges,
} from './edit-record.ts';
import type { EditRequest } from './ports.ts';

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
      sendBefore: async ({ transaction }, { status, document }) => {
        if (status !== 'open' || document === undefined) return;
        const { rowCount } = await transaction.execute(
          sql`select from documents where reference = ${document} and withdrawn_at is not null`,
        );
        if (rowCount)
          throw notPossible('Its document was withdrawn, so this task can’t be opened again. Add a new one.');
      },
      sendAfter: async (editor, sent) => {
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
