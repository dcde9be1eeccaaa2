import type { Milestone } from '@keyturn/contract';

export interface Stage {
  title: string;
  position: number;
  steps: Step[];
}

export interface Step {
  milestone: Milestone;
  /** Whether this is exchange or completion itself, the last step of its stage. */
  isKeyMoment: boolean;
}

/** Groups the milestones of one matter by stage, with stages and steps in order. */
export function groupByStage(milestones: Milestone[]): Stage[] {
  const positions = [...new Set(milestones.map(({ stage }) => stage.position))].sort((a, b) => a - b);
  return positions.map((position) => {
    const members = milestones
      .filter(({ stage }) => stage.position === position)
      .sort((a, b) => a.position - b.position);
    const last = members.findLast(({ status }) => status !== 'not_needed');
    return {
      title: members[0]?.stage.title ?? '',
      position,
      steps: members.map((milestone) => ({
        milestone,
        isKeyMoment: milestone.stage.key_moment && milestone === last,
      })),
    };
  });
}
