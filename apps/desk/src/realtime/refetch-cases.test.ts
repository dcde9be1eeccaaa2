import { QueryClient } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { casesOfEvent, refetchCases } from './refetch-cases.ts';

async function createQueries() {
  const queries = new QueryClient();
  const add = (name: string, follows?: 'cases' | { caseId: string }) =>
    queries.fetchQuery({ queryKey: [name], queryFn: async () => name, meta: follows ? { follows } : {} });
  await Promise.all([
    add('list', 'cases'),
    add('case a', { caseId: 'a' }),
    add('case b', { caseId: 'b' }),
    add('new authenticator'),
  ]);
  const invalidated = () =>
    queries
      .getQueryCache()
      .getAll()
      .filter(({ state }) => state.isInvalidated)
      .map(({ queryKey }) => queryKey[0]);
  return { queries, invalidated };
}

test('refetches lists and the cases that an event names, and nothing else', async () => {
  const { queries, invalidated } = await createQueries();
  refetchCases(queries, ['b', 'c']);
  expect(invalidated()).toEqual(['list', 'case b']);
});

test('refetches every case and no other query when anything may have changed', async () => {
  const { queries, invalidated } = await createQueries();
  refetchCases(queries, null);
  expect(invalidated()).toEqual(['list', 'case a', 'case b']);
});

test.each([[undefined], [null], ['text'], [{}], [{ ids: [] }], [{ ids: 'a' }], [{ ids: ['a', 1] }]])(
  'treats an event with the content %j as a change of anything',
  (content) => {
    expect(casesOfEvent(content)).toBeNull();
  },
);

test('reads the cases of an event', () => {
  expect(casesOfEvent({ version: 5, ids: ['a', 'b'] })).toEqual(['a', 'b']);
});
