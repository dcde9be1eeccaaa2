import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useCaseState } from '../case/case-store.ts';
import { type Services, useServices } from '../services/services.ts';
import { callOptions, usePolling } from './polling.ts';
import { queryKeys } from './query-keys.ts';
import { useHistoryMaintenance } from './use-history-maintenance.ts';

/**
 * The five newest entries of the case history, and how many there are in all. Does not fetch while the history is in
 * maintenance.
 * @param isWanted false reads the cache only
 */
export function useNewestHistory(isWanted = true) {
  const { generation } = useCaseState();
  const isClosed = useHistoryMaintenance() !== null;
  const { enabled, ...polling } = usePolling();
  return useQuery({
    ...newestHistoryQuery(useServices(), generation),
    ...polling,
    enabled: enabled && isWanted && !isClosed,
  });
}

/** The query of `useNewestHistory`, without polling. */
export const newestHistoryQuery = ({ call }: Services, generation: number) =>
  queryOptions({
    queryKey: queryKeys.newestHistory(generation),
    queryFn: (context) => call('GET /case-history', { query: { limit: 5 }, ...callOptions(context) }),
  });

/** Polls the newest entries, and refetches the history when they show that something changed. */
export function useHistoryUpdates() {
  const queries = useQueryClient();
  const { generation } = useCaseState();
  const newest = useNewestHistory();
  const fingerprint =
    newest.data &&
    [
      generation,
      newest.data.meta.total,
      ...newest.data.data.map(({ id, updated_at }) => id + updated_at),
    ].join();
  const seen = useRef(fingerprint);
  useEffect(() => {
    if (fingerprint === undefined || fingerprint === seen.current) return;
    // The first answer for a case is no change: the history itself was fetched at the same time.
    const isChange = seen.current?.startsWith(`${generation},`);
    seen.current = fingerprint;
    if (isChange) void queries.invalidateQueries({ queryKey: queryKeys.caseHistory(generation) });
  }, [fingerprint, generation, queries]);
  return newest;
}
