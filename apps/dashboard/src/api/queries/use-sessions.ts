import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useServices } from '../services/services.ts';
import { callOptions, usePolling } from './polling.ts';
import { queryKeys } from './query-keys.ts';

/** Fetches the client’s sessions that have not ended, the current one first. */
export function useSessions() {
  const { call } = useServices();
  return useQuery({
    ...usePolling(),
    queryKey: queryKeys.sessions,
    queryFn: (context) => call('GET /sessions', callOptions(context)),
  });
}

/** Returns a function that ends one session, or every other one. It throws an ApiError. */
export function useEndSessions() {
  const { call } = useServices();
  const queries = useQueryClient();
  return async (which: { id: string } | 'others'): Promise<void> => {
    try {
      if (which === 'others') await call('DELETE /sessions');
      else await call('DELETE /sessions/{id}', { params: { id: which.id } });
    } finally {
      // Also after a failure: the session may have ended.
      void queries.invalidateQueries({ queryKey: queryKeys.sessions });
    }
  };
}
