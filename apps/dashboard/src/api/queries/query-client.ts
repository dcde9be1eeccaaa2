import { createQueryClient } from '@keyturn/browser/calls/create-query-client.ts';
import type { QueryClient } from '@tanstack/react-query';
import type { AuthStore } from '../session/auth-store.ts';

/**
 * Returns the query cache of a sign-in. Each sign-in gets its own, which ends with it, so no data passes to the next one.
 * @param signIn the value of its credential
 */
export function queryClientFor(auth: AuthStore, signIn: string): QueryClient {
  const existing = caches.get(auth);
  if (existing?.signIn === signIn) return existing.queries;
  const cache = { signIn, queries: createQueryClient(30 * 60_000) };
  caches.set(auth, cache);
  const unsubscribe = auth.subscribe(() => {
    if (auth.credential() === signIn) return;
    unsubscribe();
    if (caches.get(auth) === cache) caches.delete(auth);
  });
  return cache.queries;
}

const caches = new WeakMap<AuthStore, { signIn: string; queries: QueryClient }>();
