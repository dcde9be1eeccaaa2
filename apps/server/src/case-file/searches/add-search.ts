import type { FeedRecord } from '@keyturn/contract';
import type { DeskSearch, StaffCallBody } from '@keyturn/contract/staff';
import { findAdded, requireSame } from '../editing/added-record.ts';
import { type EditDependencies, type EditRequest, editCase } from '../editing/edit-case.ts';
import { lockRecord } from '../editing/lock-record.ts';
import { deskReference } from '../records/references.ts';
import { taskToPay } from '../tasks/tasks-of-records.ts';
import { cancelReplaced } from './edit-search.ts';

type NewSearch = StaffCallBody<'POST /staff/matters/{id}/searches'>;

/**
 * Adds a search to a matter, with a task to pay for it, and cancels the search that it replaces. Sending the same
 * request again adds nothing more.
 * @throws DomainError `not_found`, `invalid_input`, `edit_not_possible`, `changed_meanwhile`, `unavailable`
 */
export async function addSearch(
  dependencies: EditDependencies,
  request: EditRequest,
  matterId: string,
  { id, pay_by, expected_on, replaces, ...search }: NewSearch,
): Promise<{ search: DeskSearch }> {
  const reference = deskReference(id);
  const subject = { kind: 'matter', id: matterId } as const;
  const caseId = await editCase(dependencies, request, subject, async (editor, ofCase) => {
    const matter = await lockRecord(editor.transaction, subject, ofCase);
    const record: FeedRecord<'searches'> = {
      ...search,
      reference,
      matter: matter.reference,
      ...(search.status === 'paid' ? { paid_at: dependencies.clock().toISOString() } : {}),
      ...(expected_on ? { expected_on } : {}),
    };
    const former = await editor.read('searches', reference);
    if (former) return requireSame(former, record, ['matter', 'code', 'name'], ofCase);
    if (replaces) await cancelReplaced(editor, ofCase, replaces);
    await editor.store('searches', [record]);
    if (record.status === 'awaiting_payment') {
      const task = taskToPay(record, { reference, ofCase: ofCase.caseReference, dueOn: pay_by });
      await editor.store('tasks', [task]);
    }
    return ofCase.caseId;
  });
  return { search: await findAdded(dependencies, caseId, 'searches', reference) };
}
