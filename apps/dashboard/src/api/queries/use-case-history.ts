import type { HistoryCategory, HistoryEntry } from '@keyturn/contract';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useCaseState } from '../case/case-store.ts';
import { useServices } from '../services/services.ts';
import { callOptions } from './polling.ts';
import { queryKeys } from './query-keys.ts';
import { useIsSwitchingCase } from './use-switch-case.ts';

/**
 * The case history in pages of fifty, newest first.
 * @param category undefined for all categories
 */
export function useCaseHistoryPages(category: HistoryCategory | undefined, enabled: boolean) {
  const { call } = useServices();
  const { generation } = useCaseState();
  const isSwitching = useIsSwitchingCase();
  return useInfiniteQuery({
    enabled: enabled && !isSwitching,
    queryKey: queryKeys.caseHistoryPages(generation, category),
    queryFn: (context) =>
      call('GET /case-history', {
        query: {
          limit: 50,
          ...(context.pageParam === null ? {} : { cursor: context.pageParam }),
          ...(category ? { category } : {}),
        },
        ...callOptions(context),
      }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ meta }) => meta.next_cursor,
  });
}

/** Every entry of the case history, newest first, in as few calls as possible. */
export function useWholeCaseHistory(enabled: boolean) {
  const { call } = useServices();
  const { generation } = useCaseState();
  const isSwitching = useIsSwitchingCase();
  return useQuery({
    enabled: enabled && !isSwitching,
    queryKey: queryKeys.wholeCaseHistory(generation),
    queryFn: async (context) => {
      const entries: HistoryEntry[] = [];
      let cursor: string | null = null;
      do {
        const query: { limit: number; cursor?: string } = { limit: 1000, ...(cursor ? { cursor } : {}) };
        const { data, meta } = await call('GET /case-history', { query, ...callOptions(context) });
        entries.push(...data);
        cursor = meta.next_cursor;
      } while (cursor);
      return entries;
    },
  });
}
