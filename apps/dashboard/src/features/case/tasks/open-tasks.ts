import type { CaseSearch, Task } from '@keyturn/contract';
import { isPayableNow } from '../../../api/case/payable-now.ts';

/**
 * Returns the client’s open tasks by due date, then in the firm’s order. Leaves out payments that have been made or are
 * being confirmed.
 */
export function openTasks(tasks: Task[], caseSearches: CaseSearch[] | undefined): Task[] {
  const payable = new Map(caseSearches?.map((caseSearch) => [caseSearch.id, isPayableNow(caseSearch)]));
  return tasks
    .filter(({ status }) => status === 'open')
    .filter(
      ({ kind, case_search_id }) => kind !== 'pay_search' || payable.get(case_search_id ?? '') !== false,
    )
    .sort((a, b) => (a.due_on ?? '9999').localeCompare(b.due_on ?? '9999'));
}
