import type { FeedRecord } from '@keyturn/contract';
import type { DeskTask, StaffCallBody } from '@keyturn/contract/staff';
import { invalidInput } from '../../platform/domain-error.ts';
import { findAdded, requireSame } from '../editing/added-record.ts';
import { type EditDependencies, type EditRequest, editCase } from '../editing/edit-case.ts';
import { lockRecord } from '../editing/lock-record.ts';
import { deskReference } from '../records/references.ts';

type NewTask = StaffCallBody<'POST /staff/cases/{id}/tasks'>;

/**
 * Adds a task. Sending the same request again adds nothing more.
 * @throws DomainError as `addSearch`
 */
export async function addTask(
  dependencies: EditDependencies,
  request: EditRequest,
  caseId: string,
  { id, kind, title, explanation, due_on, amount, matter_id, case_search_id, document_id }: NewTask,
): Promise<{ task: DeskTask }> {
  const reference = deskReference(id);
  if (amount !== null && kind !== 'pay') throw invalidInput('amount', 'is only for a task to pay');
  await editCase(dependencies, request, { kind: 'case', id: caseId }, async (editor, ofCase) => {
    const referenceOf = async (about: 'matter' | 'search' | 'document', aboutId: string | null) =>
      aboutId && (await lockRecord(editor.transaction, { kind: about, id: aboutId }, ofCase)).reference;
    const [matter, search, document] = [
      await referenceOf('matter', matter_id),
      await referenceOf('search', case_search_id),
      await referenceOf('document', document_id),
    ];
    const record: FeedRecord<'tasks'> = {
      reference,
      case: ofCase.caseReference,
      kind,
      title,
      explanation,
      status: 'open',
      ...(due_on ? { due_on } : {}),
      ...(amount ? { amount } : {}),
      ...(matter ? { matter } : {}),
      ...(search ? { search } : {}),
      ...(document ? { document } : {}),
    };
    const former = await editor.read('tasks', reference);
    if (former) return requireSame(former, record, ['case', 'kind', 'title'], ofCase);
    await editor.store('tasks', [record]);
    return caseId;
  });
  return { task: await findAdded(dependencies, caseId, 'tasks', reference) };
}
