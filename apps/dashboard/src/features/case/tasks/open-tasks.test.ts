import { expect, test } from 'vitest';
import { caseSearchFixture, taskFixture } from '../../../../fixtures/entities.ts';
import { openTasks } from './open-tasks.ts';

const openTaskIds = (
  tasks: ReturnType<typeof taskFixture>[],
  caseSearches?: ReturnType<typeof caseSearchFixture>[],
) => openTasks({ status: 'active', tasks }, caseSearches).map(({ id }) => id);

test('sorts tasks by due date, then in the firm’s order', () => {
  const tasks = [
    taskFixture({ id: 'whenever' }),
    taskFixture({ id: 'friday', due_on: '2026-11-27' }),
    taskFixture({ id: 'overdue', due_on: '2026-11-02' }),
    taskFixture({ id: 'friday too', due_on: '2026-11-27' }),
  ];
  expect(openTaskIds(tasks)).toEqual(['overdue', 'friday', 'friday too', 'whenever']);
});

test('leaves out tasks that are done', () => {
  expect(openTaskIds([taskFixture({ status: 'done' })])).toEqual([]);
});

test('leaves out a payment task for a paid search, even if the task is still open', () => {
  expect(openTaskIds([taskFixture()], [caseSearchFixture({ payable: false, status: 'paid' })])).toEqual([]);
  expect(openTaskIds([taskFixture()], [caseSearchFixture()])).toEqual(['task']);
});

test('keeps a payment task for a search that is not paid by card', () => {
  const unpaid = caseSearchFixture({ payable: false, status: 'awaiting_payment' });
  expect(
    openTasks({ status: 'active', tasks: [taskFixture()] }, [unpaid], { acceptsPayments: false }),
  ).toHaveLength(1);
  expect(openTaskIds([taskFixture()], [unpaid])).toEqual([]);
});

test('leaves out a payment task while the bank is confirming the payment', () => {
  const confirming = caseSearchFixture({
    payment: { id: 'payment', status: 'processing', payer: null, dispute: null },
  });
  expect(openTaskIds([taskFixture()], [confirming])).toEqual([]);
});

test('shows a payment task while the searches are still loading', () => {
  expect(openTaskIds([taskFixture()], undefined)).toEqual(['task']);
});

test.each(['completed', 'abandoned'] as const)(
  'of a case that is %s, only bills are left to pay',
  (status) => {
    const tasks = (['sign_document', 'pay', 'pay_bill', 'read_document'] as const).map((kind) =>
      taskFixture({ id: kind, kind }),
    );
    expect(openTasks({ status, tasks }, []).map(({ id }) => id)).toEqual(['pay_bill']);
    expect(openTasks({ status: 'on_hold', tasks }, [])).toHaveLength(4);
  },
);
