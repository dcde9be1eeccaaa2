import { useQuery } from '@tanstack/react-query';
import { useCaseState } from '../case/use-case-state.ts';
import { queryKeys } from '../queries/query-keys.ts';
import { useServices } from '../services/services.ts';

/**
 * One payment as the server has it, asked again while it may change.
 * @param id null: there is none to ask for
 * @param isAwaited an answer about money is awaited: asks more often
 */
export function usePaymentById(id: string | null, isAwaited = false) {
  const { call } = useServices();
  const { generation } = useCaseState();
  return useQuery({
    queryKey: [...queryKeys.payments(generation), id],
    queryFn: ({ signal }) => call('GET /payments/{id}', { params: { id: id ?? '' }, signal }),
    enabled: id !== null,
    refetchInterval: ({ state }) => (isAwaited || state.data?.status === 'processing' ? 500 : 5_000),
    staleTime: 0,
  });
}
