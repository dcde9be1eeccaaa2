import type { QueryClient } from '@tanstack/react-query';
import type { QueryKey } from './queries-for-event.ts';

/**
 * Reads again what has changed. What is on its way for the first time, or for nobody who looks, the query client lets
 * go on, and takes for fresh: its answer may be from before the change, and so it is read once more when it is there.
 */
export function refetchQueries(queries: QueryClient, queryKey: QueryKey, isOver: () => boolean): void {
  for (const query of queries.getQueryCache().findAll({ queryKey })) {
    const { fetchStatus, data } = query.state;
    if (fetchStatus === 'idle' || (data !== undefined && query.isActive())) continue;
    const again = () => {
      if (!isOver()) void queries.invalidateQueries({ queryKey: query.queryKey, exact: true });
    };
    void query.promise?.then(again, () => {});
  }
  void queries.invalidateQueries({ queryKey });
}
