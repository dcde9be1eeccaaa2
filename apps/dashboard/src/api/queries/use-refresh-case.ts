import { useQueryClient } from '@tanstack/react-query';
import { queryKeys } from './query-keys.ts';

/** Refetches everything about the active case, for example after a payment. Resolves when all of it has arrived. */
export function useRefreshCase(): () => Promise<void> {
  const queries = useQueryClient();
  return async () => {
    await Promise.all([
      queries.invalidateQueries({ queryKey: queryKeys.client }),
      queries.invalidateQueries({ queryKey: queryKeys.activeCase }),
    ]);
  };
}
