import type { CaseSearch, Task } from '@keyturn/contract';
import { isPayableNow } from '../../../api/case/payable-now.ts';

/**
 * What is wanted of the client, the most urgent first: by the day it is due, then as the firm ordered it. A payment
 * that has been made or is on its way is not asked for again.
 */
export function openTasks(tasks: Task[], caseSearches: CaseSearch[] | undefined): Task[] {
  const payable = new Map(caseSearches?.map((caseSearch) => [caseSearch.id, isPayableNow(caseSearch)]));
  return tasks
    .filter(({ status }) => status === 'open')
    .filter(
      ({ kind, case_search_id }) => kind !== 'pay_search' || payable.get(case_search_id ?? '') !== false,
    )
    .sort((one, other) => (one.due_on ?? '9999').localeCompare(other.due_on ?? '9999'));
}
