import type { Client } from '@keyturn/contract';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { caseStoreFor } from '../case/case-store.ts';
import { type Services, useServices } from '../services/services.ts';
import { callOptions, usePolling } from './polling.ts';
import { queryKeys } from './query-keys.ts';
import { storeClient } from './store-client.ts';

/** The client with the active case: immediately from the last visit, then from the server. */
export function useClient() {
  return useQuery({ ...clientQuery(useServices()), ...usePolling() });
}

/** The query of `useClient`, without polling. */
export function clientQuery(services: Services) {
  const { auth, call } = services;
  const caseStore = caseStoreFor(services);
  return queryOptions({
    queryKey: queryKeys.client,
    queryFn: async (context) => {
      const client = await call('GET /client', callOptions(context));
      if (!context.signal.aborted) storeClient(services, client);
      return client;
    },
    initialData: (): Client | undefined => {
      const client = auth.get()?.client;
      const { conveyancingCase } = caseStore.get();
      if (!client || !conveyancingCase || client.active_case?.id !== conveyancingCase.id) return undefined;
      return { ...client, conveyancing_case: conveyancingCase };
    },
    // Data from the last visit counts as stale, so that it is refetched immediately.
    initialDataUpdatedAt: 0,
  });
}
