import type { Bill, ConveyancingCase, Task } from '@keyturn/contract';
import type { BillWithPayments } from './bills-store.ts';

/** Returns when a bill is due, and whether that day has come. */
export function dueOf(
  { bill, completedOn, targetCompletionOn }: BillWithPayments,
  today: string,
): Pick<Bill, 'due_on' | 'due_on_completion' | 'is_due'> {
  const dueOn = bill.dueOnCompletion ? completedOn : (bill.dueOn ?? bill.issuedOn);
  return {
    due_on: dueOn ?? targetCompletionOn,
    due_on_completion: bill.dueOnCompletion,
    is_due: dueOn !== null && dueOn <= today,
  };
}

/** Adds the bills of a case to its clients' tasks and to the amounts due. */
export function withBills(conveyancingCase: ConveyancingCase, bills: readonly Bill[]): ConveyancingCase {
  const unpaid = bills.filter(({ left }) => left > 0);
  const due = unpaid.filter(({ is_due }) => is_due);
  return {
    ...conveyancingCase,
    tasks: [...conveyancingCase.tasks, ...due.map(toTask)].sort(byUrgency),
    amount_due: conveyancingCase.amount_due + sumOf(due),
    amount_due_later: sumOf(unpaid.filter(({ is_due }) => !is_due)),
  };
}

const sumOf = (bills: Bill[]) => bills.reduce((sum, { left }) => sum + left, 0);

const toTask = ({
  id,
  created_at,
  updated_at,
  number,
  description,
  due_on,
  matter_id,
  left,
  payable,
}: Bill): Task => ({
  id,
  created_at,
  updated_at,
  kind: 'pay_bill',
  title: `Pay our bill ${number}`,
  explanation: `${description}.`,
  due_on,
  status: 'open',
  matter_id,
  case_search_id: null,
  document_id: null,
  bill_id: id,
  signing: null,
  binds_on: null,
  amount: payable > 0 ? left : null,
});

/** Inserts the bills into the sorted tasks: open ones first, the most urgent of them first. */
const byUrgency = (a: Task, b: Task): number =>
  Number(b.status === 'open') - Number(a.status === 'open') ||
  (a.due_on ?? '9999').localeCompare(b.due_on ?? '9999');
