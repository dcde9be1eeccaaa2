import type { Milestone } from '@keyturn/contract';
import type { MarkStatus } from '../../../ui/content/status-mark.tsx';
import type { Stage } from '../../../ui/journey/stage-tracker.tsx';

export interface Route {
  stages: Stage[];
  /** Index of the current stage. */
  at: number;
}

/** Builds the stages of the stage tracker, each with a status derived from its milestones. */
export function routeOf(milestones: Milestone[], stage: string | null): Route {
  const positions = [...new Set(milestones.map((milestone) => milestone.stage.position))].sort(
    (a, b) => a - b,
  );
  const groups = positions.map((position) =>
    milestones.filter((milestone) => milestone.stage.position === position),
  );
  const stages = groups.map((members) => ({
    id: String(members[0]?.stage.position),
    title: members[0]?.stage.title ?? '',
    status: statusOf(members),
    isKeyMoment: members.some((member) => member.stage.key_moment),
  }));
  const current = positions.indexOf(currentMilestone(milestones, stage)?.stage.position ?? Number.NaN);
  const next = stages.findIndex(({ status }) => status === 'upcoming');
  const at = current >= 0 ? current : next >= 0 ? next : stages.length - 1;
  return { stages, at: Math.max(at, 0) };
}

/** Returns the milestone that the matter names as its stage, or else the first that is under way or held up. */
export function currentMilestone(milestones: Milestone[], stage: string | null): Milestone | undefined {
  return milestones.find(({ key }) => key === stage) ?? milestones.find(isUnderWay);
}

/** Returns the milestones other than the current one that are under way or held up. */
export function otherMilestonesUnderWay(milestones: Milestone[], stage: string | null): Milestone[] {
  const current = currentMilestone(milestones, stage);
  return milestones.filter((milestone) => milestone !== current && isUnderWay(milestone));
}

const isUnderWay = ({ status }: Milestone) => status === 'current' || status === 'blocked';

function statusOf(members: Milestone[]): MarkStatus {
  const needed = members.filter(({ status }) => status !== 'not_needed');
  const has = (expected: Milestone['status']) => needed.some(({ status }) => status === expected);
  if (needed.length === 0) return 'not-needed';
  if (has('blocked')) return 'blocked';
  if (has('current')) return 'current';
  if (!has('upcoming')) return 'done';
  // The stage has started and waits for another one.
  return has('done') ? 'current' : 'upcoming';
}
