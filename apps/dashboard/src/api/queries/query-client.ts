import { retryTransientErrors } from '@keyturn/browser/calls/api-error.ts';
import { QueryClient } from '@tanstack/react-query';
import type { AuthStore } from '../session/auth-store.ts';

/**
 * Returns the query cache of a sign-in. Each sign-in gets its own, which ends with it, so no data passes to the next one.
 * @param signIn the value of its credential
 */
export function queryClientFor(auth: AuthStore, signIn: string): QueryClient {
  const existing = caches.get(auth);
  if (existing?.signIn === signIn) return existing.queries;
  const cache = { signIn, queries: createQueryClient() };
  caches.set(auth, cache);
  const unsubscribe = auth.subscribe(() => {
    if (auth.credential()?.value === signIn) return;
    unsubscribe();
    if (caches.get(auth) === cache) caches.delete(auth);
  });
  return cache.queries;
}

const caches = new WeakMap<AuthStore, { signIn: string; queries: QueryClient }>();

function createQueryClient(): QueryClient {
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
