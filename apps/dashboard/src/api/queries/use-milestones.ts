import { queryOptions, useQuery } from '@tanstack/react-query';
import { useCaseState } from '../case/use-case-state.ts';
import { type Services, useServices } from '../services/services.ts';
import { callOptions, usePolling } from './polling.ts';
import { queryKeys } from './query-keys.ts';

/** The milestones of every matter of the active case, in order. */
export function useMilestones() {
  const { generation } = useCaseState();
  return useQuery({ ...milestonesQuery(useServices(), generation), ...usePolling() });
}

/** The query of `useMilestones`, without polling. */
export const milestonesQuery = ({ call }: Services, generation: number) =>
  queryOptions({
    queryKey: queryKeys.milestones(generation),
    queryFn: (context) => call('GET /milestones', callOptions(context)),
  });
