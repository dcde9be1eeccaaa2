import { useQuery } from '@tanstack/react-query';
import { useCaseState } from '../case/use-case-state.ts';
import { useServices } from '../services/services.ts';
import { callOptions, usePolling } from './polling.ts';
import { queryKeys } from './query-keys.ts';

/** The milestones of every matter of the active case, in order. */
export function useMilestones() {
  const { call } = useServices();
  const { generation } = useCaseState();
  return useQuery({
    ...usePolling(),
    queryKey: queryKeys.milestones(generation),
    queryFn: (context) => call('GET /milestones', callOptions(context)),
  });
}
