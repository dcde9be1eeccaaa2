import { QueryClient } from '@tanstack/react-query';
import { retryTransientErrors } from './api-error.ts';

/** Creates the cache of what one sign-in reads. @param gcTime how long unused data stays, in milliseconds */
export function createQueryClient(gcTime = 5 * 60_000): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        // Offline counts as a failure, which is shown and retried, instead of pausing queries silently.
        networkMode: 'always',
        retry: retryTransientErrors,
        retryDelay: (attempt) => 1_000 * 2 ** attempt,
        staleTime: 5_000,
        gcTime,
      },
      mutations: { networkMode: 'always' },
    },
  });
}
