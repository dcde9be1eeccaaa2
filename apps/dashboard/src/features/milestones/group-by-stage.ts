import type { Milestone } from '@keyturn/contract';

export interface MilestoneStage {
  title: string;
  position: number;
  steps: Step[];
}

export interface Step {
  milestone: Milestone;
  /** Whether this is exchange or completion itself, the last step of its stage. */
  isKeyMoment: boolean;
}

/** A part of a matter’s path that is shown in one piece. */
export type PathSection =
  /** Stages in a row in which everything is done. */
  { kind: 'done'; stages: MilestoneStage[] } | { kind: 'open'; stage: MilestoneStage };

/** Joins stages in a row in which everything is done. */
export function splitPath(stages: MilestoneStage[]): PathSection[] {
  const sections: PathSection[] = [];
  for (const stage of stages) {
    const previous = sections.at(-1);
    if (!stage.steps.every(isOver)) sections.push({ kind: 'open', stage });
    else if (previous?.kind === 'done') previous.stages.push(stage);
    else sections.push({ kind: 'done', stages: [stage] });
  }
  return sections;
}

/** Steps in a row that are shown, or closed, together. */
export interface StepRun {
  steps: Step[];
  isOpen: boolean;
}

/** Splits the steps of a stage into runs: steps that are done are closed, and so are later ones with `foldUpcoming`. */
export function splitSteps(steps: Step[], { foldUpcoming }: { foldUpcoming: boolean }): StepRun[] {
  const runs: (StepRun & { kind: string })[] = [];
  for (const step of steps) {
    const isFolded = foldUpcoming && step.milestone.status === 'upcoming' && !step.isKeyMoment;
    const kind = isOver(step) ? 'done' : isFolded ? 'upcoming' : 'open';
    const previous = runs.at(-1);
    if (previous?.kind === kind) previous.steps.push(step);
    else runs.push({ kind, steps: [step], isOpen: kind === 'open' });
  }
  return runs.map(({ steps, isOpen }) => ({ steps, isOpen }));
}

const isOver = ({ milestone: { status } }: Step) => status === 'done' || status === 'not_needed';

/** Counts steps for a heading: "3 steps done", "2 steps to come, 1 not needed". */
export function countSteps(steps: Step[]): string {
  const count = (...wanted: Milestone['status'][]) =>
    steps.filter(({ milestone }) => wanted.includes(milestone.status)).length;
  const inWords = (number: number) => (number === 1 ? '1 step' : `${number} steps`);
  const done = count('done');
  const ahead = count('upcoming', 'current', 'blocked');
  const notNeeded = count('not_needed');
  return [
    ...(done > 0 ? [`${inWords(done)} done`] : []),
    ...(ahead > 0 ? [`${inWords(ahead)} to come`] : []),
    ...(notNeeded > 0
      ? [done + ahead > 0 ? `${notNeeded} not needed` : `${inWords(notNeeded)} not needed`]
      : []),
  ].join(', ');
}

/** Groups the milestones of one matter by stage, with stages and steps in order. */
export function groupByStage(milestones: Milestone[]): MilestoneStage[] {
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
