import { useIsMutating, useMutation, useQueryClient } from '@tanstack/react-query';
import { useServices } from '../services/services.ts';
import { queryKeys } from './query-keys.ts';
import { storeClient } from './store-client.ts';

/** Switches to another of the client's cases. No data of the old case is left once it has succeeded. */
export function useSwitchCase() {
  const services = useServices();
  const queries = useQueryClient();
  return useMutation({
    mutationKey: switchKey,
    mutationFn: async (id: string) => {
      await Promise.all([
        queries.cancelQueries({ queryKey: queryKeys.client }),
        queries.cancelQueries({ queryKey: queryKeys.activeCase }),
      ]);
      return services.call('PUT /client/active-case', { body: { id } });
    },
    onSuccess: (client) => {
      storeClient(services, client);
      queries.setQueryData(queryKeys.client, client);
    },
  });
}

/** Whether a switch of cases is in progress. Neither the old case nor the new one should be shown meanwhile. */
export const useIsSwitchingCase = (): boolean => useIsMutating({ mutationKey: switchKey }) > 0;

const switchKey = ['switch-case'];
