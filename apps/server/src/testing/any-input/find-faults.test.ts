import { expect, test } from 'vitest';
import { findFaults } from './check-answer.ts';
import { unexpectedTraces } from './unexpected-traces.ts';
import type { RowChange } from './watch-tables.ts';

const answerOf = (status: number, error: object) => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(error),
});
const route = { path: '/api/tasks', errors: undefined };
const faultsOf = (answer: ReturnType<typeof answerOf>, path = route.path) =>
  findFaults(answer, { ...route, path }, new Set());

test('the tests with any input accept 503 only while a case is locked', () => {
  const unavailable = { code: 'unavailable', message: 'Our records are unavailable at the moment.' };
  expect(faultsOf(answerOf(503, unavailable))).toEqual([
    'the status is 503 with unavailable: Our records are unavailable at the moment.',
  ]);
  expect(
    faultsOf(
      answerOf(503, { ...unavailable, message: 'A colleague or an import is changing this case. Wait.' }),
    ),
  ).toEqual([]);
  expect(faultsOf(answerOf(503, { code: 'provider_unavailable', message: 'x' }))).toHaveLength(1);
  expect(faultsOf(answerOf(500, { error: 'x' }), '/broadcasting/auth')).toHaveLength(1);
});

test('the tests with any input find changes of other cases although the input was accepted', () => {
  const change: RowChange = {
    table: 'public.tasks',
    operation: 'UPDATE',
    columns: ['title'],
    ids: ['a', 'b'],
    transaction: '1',
  };
  const tracesOf = (changes: RowChange[], othersId: string) =>
    unexpectedTraces({ errors: [], changes }, { outcome: 'changed', othersIds: new Set([othersId]) });
  expect(tracesOf([change], 'c')).toEqual([]);
  expect(tracesOf([change], 'b')).toEqual(['UPDATE public.tasks title, in a row of another case']);
});

test('the tests with any input ignore a row only if a rejected request added it and removed it again', () => {
  const claim = { table: 'public.feed_requests', columns: [], ids: ['a'], transaction: '1' };
  const [added, removed] = [
    { ...claim, operation: 'INSERT' },
    { ...claim, operation: 'DELETE' },
  ];
  const tracesOf = (...changes: RowChange[]) =>
    unexpectedTraces({ errors: [], changes }, { outcome: 'rejected', othersIds: new Set() });
  expect(tracesOf(added, removed)).toEqual([]);
  expect(tracesOf(removed, added)).toHaveLength(2);
  expect(tracesOf(added, { ...removed, ids: ['b'] })).toHaveLength(2);
});

test('the tests with any input ignore the changes of a webhook that an earlier request has caused', () => {
  const change = (table: string, columns: string[], transaction: string): RowChange => ({
    table,
    operation: 'UPDATE',
    columns,
    ids: ['a'],
    transaction,
  });
  const closing = change('public.provider_events', ['outcome', 'applied_at'], '1');
  const tracesOf = (transaction: string) =>
    unexpectedTraces(
      { errors: [], changes: [change('public.payments', ['status'], transaction), closing] },
      { outcome: 'rejected', othersIds: new Set() },
    );
  expect(tracesOf('1')).toEqual([]);
  expect(tracesOf('2')).toEqual(['UPDATE public.payments status']);
});
