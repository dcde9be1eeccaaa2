import type { QueryClient } from '@tanstack/react-query';
import { queryKeys } from './query-keys.ts';

/**
 * Refetches the account and the list of devices. A new password, and each change of what a client signs in with, signs
 * other devices out.
 */
export const refreshAccount = (queries: QueryClient): Promise<unknown> =>
  Promise.all(
    [queryKeys.account, queryKeys.sessions].map((queryKey) => queries.invalidateQueries({ queryKey })),
  );
