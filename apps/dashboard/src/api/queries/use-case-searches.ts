import type { CaseSearch } from '@keyturn/contract';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { caseStoreFor, useCaseState } from '../case/case-store.ts';
import { type Services, useServices } from '../services/services.ts';
import { callOptions, usePolling } from './polling.ts';
import { queryKeys } from './query-keys.ts';

/**
 * The searches of the active case: immediately from the last visit, then from the server. Polls faster while a bank
 * is confirming a payment.
 */
export function useCaseSearches() {
  const { generation } = useCaseState();
  return useQuery({
    ...caseSearchesQuery(useServices(), generation),
    ...usePolling((caseSearches: CaseSearch[]) => caseSearches.map(({ payment }) => payment?.status)),
  });
}

/** The query of `useCaseSearches`, without polling. */
export function caseSearchesQuery(services: Services, generation: number) {
  const caseStore = caseStoreFor(services);
  return queryOptions({
    queryKey: queryKeys.caseSearches(generation),
    queryFn: async (context) => {
      const caseSearches = await services.call('GET /case-searches', callOptions(context));
      if (caseStore.get().generation === generation) caseStore.setCaseSearches(caseSearches);
      // A payment also changes the amount due and the tasks, which come with the client, and the history.
      const before = context.client.getQueryData<CaseSearch[]>(context.queryKey);
      if (before && paymentFingerprint(before) !== paymentFingerprint(caseSearches)) {
        void context.client.invalidateQueries({ queryKey: queryKeys.client });
        void context.client.invalidateQueries({ queryKey: queryKeys.newestHistory(generation) });
      }
      return caseSearches;
    },
    initialData: () => {
      const stored = caseStore.get();
      return stored.conveyancingCase && stored.caseSearches.length > 0 ? stored.caseSearches : undefined;
    },
    initialDataUpdatedAt: 0,
  });
}

/** Differs after every change of a payment for a search. */
const paymentFingerprint = (caseSearches: CaseSearch[]): string =>
  caseSearches.map(({ id, status, payment }) => [id, status, payment?.status].join()).join(' ');
