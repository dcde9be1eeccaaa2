import { useQuery } from '@tanstack/react-query';
import { useCaseState } from '../case/use-case-state.ts';
import { useServices } from '../services/services.ts';
import { callOptions, pollInterval, usePolling } from './polling.ts';
import { queryKeys } from './query-keys.ts';
import { useIsLive } from './use-live.ts';

/** Every payment of the active case, newest first. Polls faster while a bank is confirming a payment. */
export function usePayments() {
  const { call } = useServices();
  const { generation } = useCaseState();
  const isLive = useIsLive();
  return useQuery({
    ...usePolling(),
    queryKey: queryKeys.payments(generation),
    queryFn: (context) => call('GET /payments', callOptions(context)),
    refetchInterval: ({ state }) =>
      pollInterval(
        isLive,
        state.data?.map(({ status }) => status),
      ),
  });
}
