import type { QueryClient } from '@tanstack/react-query';
import type { QueryKey } from './queries-for-event.ts';

/**
 * Refetches the queries under a key after a change. The query client leaves a first or unobserved fetch running and
 * takes its response for fresh, although it may predate the change; such queries are invalidated again once it
 * arrives.
 */
export function refetchQueries(queries: QueryClient, queryKey: QueryKey, isStopped: () => boolean): void {
  for (const query of queries.getQueryCache().findAll({ queryKey })) {
    const { fetchStatus, data } = query.state;
    if (fetchStatus === 'idle' || (data !== undefined && query.isActive())) continue;
    const invalidate = () => {
      if (!isStopped()) void queries.invalidateQueries({ queryKey: query.queryKey, exact: true });
    };
    void query.promise?.then(invalidate, () => {});
  }
  void queries.invalidateQueries({ queryKey });
}
