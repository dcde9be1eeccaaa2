import { QueryClient } from '@tanstack/react-query';
import { retryTransientErrors } from '../../api/client/api-error.ts';

/** Creates the query cache of one sign-in, with its retry policy. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        // Offline counts as a failure, which is shown and retried, instead of pausing queries silently.
        networkMode: 'always',
        retry: retryTransientErrors,
        retryDelay: (attempt) => 1_000 * 2 ** attempt,
        staleTime: 5_000,
        gcTime: 30 * 60_000,
      },
      mutations: { networkMode: 'always' },
    },
  });
}
