import { isClosed, type Matter, type Milestone } from '@keyturn/contract';

/**
 * Returns the milestones as far as they are true of the status of their matter: while it is on hold, no step is under way
 * and no day is expected. Once it is closed, only what was done is left.
 */
export const milestonesShown = (
  milestones: readonly Milestone[],
  matters: readonly Pick<Matter, 'id' | 'status'>[],
): Milestone[] => {
  const statuses = new Map(matters.map(({ id, status }) => [id, status]));
  return milestones.flatMap((milestone) => {
    const status = statuses.get(milestone.matter_id) ?? 'active';
    if (milestone.status === 'done' || status === 'active') return [milestone];
    if (isClosed(status)) return [];
    return [
      {
        ...milestone,
        ...withoutPlans,
        status: milestone.status === 'not_needed' ? 'not_needed' : 'upcoming',
      },
    ];
  });
};

const withoutPlans = {
  waiting_for: null,
  waiting_since: null,
  also_waiting: null,
  next_update_by: null,
  expected_from: null,
  expected_to: null,
  usually_between: null,
} as const;
