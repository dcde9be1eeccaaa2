import { describe, expect, test } from 'vitest';
import { sampleCaseSearch, sampleTask } from '../../../api/client/entity-samples.ts';
import { openTasks } from './open-tasks.ts';

const ids = (tasks: ReturnType<typeof sampleTask>[], caseSearches?: ReturnType<typeof sampleCaseSearch>[]) =>
  openTasks(tasks, caseSearches).map(({ id }) => id);

describe('what is wanted of the client', () => {
  test('stands by the day it is due, then as the firm ordered it', () => {
    const tasks = [
      sampleTask({ id: 'whenever' }),
      sampleTask({ id: 'friday', due_on: '2026-11-27' }),
      sampleTask({ id: 'overdue', due_on: '2026-11-02' }),
      sampleTask({ id: 'friday too', due_on: '2026-11-27' }),
    ];
    expect(ids(tasks)).toEqual(['overdue', 'friday', 'friday too', 'whenever']);
  });

  test('leaves out what is done', () => {
    expect(ids([sampleTask({ status: 'done' })])).toEqual([]);
  });

  test('does not ask again for a payment that was made, whatever the task says', () => {
    expect(ids([sampleTask()], [sampleCaseSearch({ payable: false, status: 'paid' })])).toEqual([]);
    expect(ids([sampleTask()], [sampleCaseSearch()])).toEqual(['task']);
  });

  test('does not ask for a payment that the bank is confirming', () => {
    const confirming = sampleCaseSearch({ payment: { id: 'payment', status: 'processing' } });
    expect(ids([sampleTask()], [confirming])).toEqual([]);
  });

  test('asks for a payment while the searches are still on their way', () => {
    expect(ids([sampleTask()], undefined)).toEqual(['task']);
  });
});
