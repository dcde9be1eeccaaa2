import type { Milestone } from '@keyturn/contract';
import type { StationStatus } from '../../../ui/content/station-mark.tsx';
import type { Station } from '../../../ui/journey/stage-tracker.tsx';

export interface Route {
  stations: Station[];
  /** Index of the station where things stand. */
  at: number;
}

/** The milestones of one matter as stations: one for each stage, its status made from its milestones. */
export function routeOf(milestones: Milestone[], stage: string | null): Route {
  const positions = [...new Set(milestones.map((milestone) => milestone.stage.position))].sort(
    (a, b) => a - b,
  );
  const groups = positions.map((position) =>
    milestones.filter((milestone) => milestone.stage.position === position),
  );
  const stations = groups.map((members) => ({
    id: String(members[0]?.stage.position),
    title: members[0]?.stage.title ?? '',
    status: statusOf(members),
    isKeyMoment: members.some((member) => member.stage.key_moment),
  }));
  const now = currentMilestone(milestones, stage);
  const held = positions.indexOf(now?.stage.position ?? Number.NaN);
  const next = stations.findIndex(({ status }) => status === 'upcoming');
  const at = held >= 0 ? held : next >= 0 ? next : stations.length - 1;
  return { stations, at: Math.max(at, 0) };
}

/** The milestone that the matter names; else the first that is under way or held up. */
export function currentMilestone(milestones: Milestone[], stage: string | null): Milestone | undefined {
  return milestones.find(({ key }) => key === stage) ?? milestones.find(isUnderWay);
}

/** Every other milestone that somebody holds at the same time. */
export function otherMilestonesUnderWay(milestones: Milestone[], stage: string | null): Milestone[] {
  const now = currentMilestone(milestones, stage);
  return milestones.filter((milestone) => milestone !== now && isUnderWay(milestone));
}

const isUnderWay = ({ status }: Milestone) => status === 'current' || status === 'blocked';

function statusOf(members: Milestone[]): StationStatus {
  const needed = members.filter(({ status }) => status !== 'not_needed');
  const has = (wanted: Milestone['status']) => needed.some(({ status }) => status === wanted);
  if (needed.length === 0) return 'not-needed';
  if (has('blocked')) return 'blocked';
  if (has('current')) return 'current';
  if (!has('upcoming')) return 'done';
  // Begun, and now resting until another stage lets it go on.
  return has('done') ? 'current' : 'upcoming';
}
