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

/** A server whose answers are what holds when it is asked, and come when the test lets them. */
function slowServer() {
  const server = { holds: 'before', asked: 0, answer: () => {} };
  const queryFn = async () => {
    server.asked += 1;
    const { holds } = server;
    await new Promise<void>((resolve) => {
      server.answer = resolve;
    });
    return holds;
  };
  return { server, queryFn };
}

const shown = () => queries.getQueryData(queryKey);

test('a first answer that left before the change is not the last one', async () => {
  const { server, queryFn } = slowServer();
  ends.push(new QueryObserver(queries, { queryKey, queryFn }).subscribe(() => {}));
  server.holds = 'after';
  refetchQueries(queries, queryKey, () => false);
  server.answer();
  await expect.poll(() => server.asked).toBe(2);
  server.answer();
  await expect.poll(shown).toBe('after');
});

test('nor is it for a screen that does not look yet: it reads anew when it does', async () => {
  const { server, queryFn } = slowServer();
  void queries.prefetchQuery({ queryKey, queryFn });
  server.holds = 'after';
  refetchQueries(queries, queryKey, () => false);
  server.answer();
  await expect.poll(shown).toBe('before');
  await expect.poll(() => queries.getQueryState(queryKey)?.isInvalidated).toBe(true);
});

test('what is shown is read once, whatever was on its way', async () => {
  const { server, queryFn } = slowServer();
  queries.setQueryData(queryKey, 'shown');
  ends.push(new QueryObserver(queries, { queryKey, queryFn }).subscribe(() => {}));
  await expect.poll(() => server.asked).toBe(1);
  server.holds = 'after';
  refetchQueries(queries, queryKey, () => false);
  await expect.poll(() => server.asked).toBe(2);
  server.answer();
  await expect.poll(shown).toBe('after');
  expect(server.asked).toBe(2);
});

test('after the end nothing is read', async () => {
  const { server, queryFn } = slowServer();
  ends.push(new QueryObserver(queries, { queryKey, queryFn }).subscribe(() => {}));
  refetchQueries(queries, queryKey, () => true);
  server.answer();
  await expect.poll(shown).toBe('before');
  expect(server.asked).toBe(1);
});
