import type { CaseSearch } from '@keyturn/contract';
import { useQuery } from '@tanstack/react-query';
import { useCaseState, useCaseStore } from '../case/use-case-state.ts';
import { useServices } from '../services/services.ts';
import { callOptions, pollInterval, usePolling } from './polling.ts';
import { queryKeys } from './query-keys.ts';
import { useIsLive } from './use-live.ts';

/**
 * The searches of the active case: from the last visit at once, then from the server. Polls faster while a bank is
 * confirming a payment.
 */
export function useCaseSearches() {
  const { call } = useServices();
  const caseStore = useCaseStore();
  const { generation } = useCaseState();
  const isLive = useIsLive();
  return useQuery({
    ...usePolling(),
    queryKey: queryKeys.caseSearches(generation),
    queryFn: async (context) => {
      const caseSearches = await call('GET /case-searches', callOptions(context));
      if (caseStore.get().generation === generation) caseStore.setCaseSearches(caseSearches);
      // A payment also changes the amount due and the tasks, which come with the client, and the history.
      const before = context.client.getQueryData<CaseSearch[]>(context.queryKey);
      if (before && paymentFingerprint(before) !== paymentFingerprint(caseSearches)) {
        void context.client.invalidateQueries({ queryKey: queryKeys.client });
        void context.client.invalidateQueries({ queryKey: queryKeys.newestHistory(generation) });
      }
      return caseSearches;
    },
    refetchInterval: ({ state }) =>
      pollInterval(
        isLive,
        state.data?.map(({ payment }) => payment?.status),
      ),
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
