import { QueryClient } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { queryKeys } from './query-keys.ts';
import { refreshAccount } from './refresh-account.ts';

test('a change of how a client signs in refreshes the list of devices, because it signs others out', async () => {
  const queries = new QueryClient();
  for (const queryKey of [queryKeys.account, queryKeys.sessions, queryKeys.client])
    queries.setQueryData(queryKey, {});
  await refreshAccount(queries);
  const isStale = (queryKey: readonly string[]) => queries.getQueryState(queryKey)?.isInvalidated;
  expect([queryKeys.account, queryKeys.sessions, queryKeys.client].map(isStale)).toEqual([true, true, false]);
});
