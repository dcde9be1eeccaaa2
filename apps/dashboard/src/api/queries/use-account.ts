import { useQuery } from '@tanstack/react-query';
import { useServices } from '../services/services.ts';
import { queryKeys } from './query-keys.ts';

/** How the client signs in. */
export function useAccount() {
  const { call } = useServices();
  return useQuery({
    queryKey: queryKeys.account,
    queryFn: ({ signal }) => call('GET /account', { signal }),
  });
}
