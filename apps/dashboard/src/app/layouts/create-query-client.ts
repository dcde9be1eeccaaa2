import { QueryClient } from '@tanstack/react-query';
import { retryTransientErrors } from '../../api/client/api-error.ts';

/** The memory of one sign-in: what was read, and how often a failed reading is tried again. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        // Offline is a failure like any other: it is shown, and tried again.
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
