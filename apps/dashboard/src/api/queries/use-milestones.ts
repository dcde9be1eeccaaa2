import type { Milestone } from '@keyturn/contract';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useCaseState } from '../case/case-store.ts';
import { milestonesShown } from '../case/milestones-shown.ts';
import { type Services, useServices } from '../services/services.ts';
import { callOptions, usePolling } from './polling.ts';
import { queryKeys } from './query-keys.ts';
import { useClient } from './use-client.ts';

/** The milestones of every matter of the active case, in order, as far as they are true of the status of the matter. */
export function useMilestones() {
  const { generation } = useCaseState();
  const matters = useClient().data?.conveyancing_case?.matters;
  const select = useCallback(
    (milestones: Milestone[]) => milestonesShown(milestones, matters ?? []),
    [matters],
  );
  return useQuery({ ...milestonesQuery(useServices(), generation), ...usePolling(), select });
}

/** The query of `useMilestones`, without polling. */
export const milestonesQuery = ({ call }: Services, generation: number) =>
  queryOptions({
    queryKey: queryKeys.milestones(generation),
    queryFn: (context) => call('GET /milestones', callOptions(context)),
  });
