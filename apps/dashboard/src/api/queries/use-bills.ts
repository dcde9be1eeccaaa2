import { useQuery } from '@tanstack/react-query';
import { useCaseState } from '../case/case-store.ts';
import { useServices } from '../services/services.ts';
import { callOptions, usePolling } from './polling.ts';
import { queryKeys } from './query-keys.ts';

/** The firm's bills for the active case, newest first. */
export function useBills() {
  const { call } = useServices();
  const { generation } = useCaseState();
  return useQuery({
    ...usePolling(),
    queryKey: queryKeys.bills(generation),
    queryFn: (context) => call('GET /bills', callOptions(context)),
  });
}
