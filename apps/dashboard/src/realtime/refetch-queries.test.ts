import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, expect, test } from 'vitest';
import { refetchQueries } from './refetch-queries.ts';

const queries = new QueryClient();
const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
  queries.clear();
});

const queryKey = ['milestones', 1];

/** A server that answers with its value at the time of the request, once the test releases the answer. */
function slowServer() {
  const server = { value: 'before', requests: 0, answer: () => {} };
  const queryFn = async () => {
    server.requests += 1;
    const { value } = server;
    await new Promise<void>((resolve) => {
      server.answer = resolve;
    });
    return value;
  };
  return { server, queryFn };
}

const shown = () => queries.getQueryData(queryKey);

test('refetching a query repeats a fetch whose response predates the change', async () => {
  const { server, queryFn } = slowServer();
  ends.push(new QueryObserver(queries, { queryKey, queryFn }).subscribe(() => {}));
  server.value = 'after';
  refetchQueries(queries, queryKey, () => false);
  server.answer();
  await expect.poll(() => server.requests).toBe(2);
  server.answer();
  await expect.poll(shown).toBe('after');
});

test('marks a prefetched response that predates the change as stale', async () => {
  const { server, queryFn } = slowServer();
  void queries.prefetchQuery({ queryKey, queryFn });
  server.value = 'after';
  refetchQueries(queries, queryKey, () => false);
  server.answer();
  await expect.poll(shown).toBe('before');
  await expect.poll(() => queries.getQueryState(queryKey)?.isInvalidated).toBe(true);
});

test('refetching fetches a shown query once, even when another fetch is running', async () => {
  const { server, queryFn } = slowServer();
  queries.setQueryData(queryKey, 'shown');
  ends.push(new QueryObserver(queries, { queryKey, queryFn }).subscribe(() => {}));
  await expect.poll(() => server.requests).toBe(1);
  server.value = 'after';
  refetchQueries(queries, queryKey, () => false);
  await expect.poll(() => server.requests).toBe(2);
  server.answer();
  await expect.poll(shown).toBe('after');
  expect(server.requests).toBe(2);
});

test('refetching fetches nothing after it was stopped', async () => {
  const { server, queryFn } = slowServer();
  ends.push(new QueryObserver(queries, { queryKey, queryFn }).subscribe(() => {}));
  refetchQueries(queries, queryKey, () => true);
  server.answer();
  await expect.poll(shown).toBe('before');
  expect(server.requests).toBe(1);
});
