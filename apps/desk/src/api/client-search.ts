import { useQuery } from '@tanstack/react-query';
import { callStaff } from './desk-api.ts';

/**
 * Finds clients by name, email address or reference. Without a search, lists those without a case.
 * @param options.enabled whether to search now
 */
export const useClientSearch = (search: string, { enabled = true }: { enabled?: boolean } = {}) =>
  useQuery({
    queryKey: ['clients', search],
    queryFn: ({ signal }) => callStaff('GET /staff/clients', { query: { q: search }, signal }),
    placeholderData: (before) => before,
    enabled,
  });
