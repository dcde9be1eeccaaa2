import type { Milestone } from '@keyturn/contract';

export interface Stage {
  title: string;
  position: number;
  steps: Step[];
}

export interface Step {
  milestone: Milestone;
  /** Exchange or completion itself: what its stage leads up to. */
  isKeyMoment: boolean;
}

/** The milestones of one matter under the stages of its route line, both in their order. */
export function stagesOfMatter(milestones: Milestone[]): Stage[] {
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
