import { describe, expect, test } from 'vitest';
import { caseSearchFixture, taskFixture } from '../../../../fixtures/entities.ts';
import { openTasks } from './open-tasks.ts';

const ids = (
  tasks: ReturnType<typeof taskFixture>[],
  caseSearches?: ReturnType<typeof caseSearchFixture>[],
) => openTasks(tasks, caseSearches).map(({ id }) => id);

describe('what is wanted of the client', () => {
  test('stands by the day it is due, then as the firm ordered it', () => {
    const tasks = [
      taskFixture({ id: 'whenever' }),
      taskFixture({ id: 'friday', due_on: '2026-11-27' }),
      taskFixture({ id: 'overdue', due_on: '2026-11-02' }),
      taskFixture({ id: 'friday too', due_on: '2026-11-27' }),
    ];
    expect(ids(tasks)).toEqual(['overdue', 'friday', 'friday too', 'whenever']);
  });

  test('leaves out what is done', () => {
    expect(ids([taskFixture({ status: 'done' })])).toEqual([]);
  });

  test('does not ask again for a payment that was made, whatever the task says', () => {
    expect(ids([taskFixture()], [caseSearchFixture({ payable: false, status: 'paid' })])).toEqual([]);
    expect(ids([taskFixture()], [caseSearchFixture()])).toEqual(['task']);
  });

  test('does not ask for a payment that the bank is confirming', () => {
    const confirming = caseSearchFixture({ payment: { id: 'payment', status: 'processing' } });
    expect(ids([taskFixture()], [confirming])).toEqual([]);
  });

  test('asks for a payment while the searches are still on their way', () => {
    expect(ids([taskFixture()], undefined)).toEqual(['task']);
  });
});
