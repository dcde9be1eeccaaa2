import { type CaseSearch, type ConveyancingCase, isClosed, type Task } from '@keyturn/contract';
import { isDueNow } from '../../../api/case/payable-now.ts';

/**
 * Returns the client’s open tasks by due date, then in the firm’s order. Leaves out payments that have been made or are
 * being confirmed, and everything but bills once the case is closed.
 */
export function openTasks(
  { status: caseStatus, tasks }: Pick<ConveyancingCase, 'status' | 'tasks'>,
  caseSearches: CaseSearch[] | undefined,
  { acceptsPayments = true } = {},
): Task[] {
  const due = new Map(
    caseSearches?.map((caseSearch) => [caseSearch.id, isDueNow(caseSearch, acceptsPayments)]),
  );
  return tasks
    .filter(({ kind, status }) => status === 'open' && (!isClosed(caseStatus) || kind === 'pay_bill'))
    .filter(({ kind, case_search_id }) => kind !== 'pay_search' || due.get(case_search_id ?? '') !== false)
    .sort((a, b) => (a.due_on ?? '9999').localeCompare(b.due_on ?? '9999'));
}
