import { isDeepStrictEqual } from 'node:util';
import type { FeedRecord, MatterFeature } from '@keyturn/contract';
import { hasUsualTimes, type MilestonePath, type PathStep } from '@keyturn/contract/staff';

/** Returns the steps of a path in the order in which clients see them, stage by stage. */
export const stepsInOrder = ({ steps }: MilestonePath): PathStep[] =>
  steps.toSorted((left, right) => left.stage - right.stage);

/** Whether a matter with these features has a step of its path. */
export const isForMatter = (
  { features = [] }: Pick<PathStep, 'features'>,
  ofMatter: readonly MatterFeature[],
): boolean => features.length === 0 || features.some((feature) => ofMatter.includes(feature));

export interface ComparedPaths {
  added: PathStep[];
  removed: PathStep[];
  /** Steps in both paths with different texts, durations, stages or positions. */
  changed: PathStep[];
}

/** Compares two paths, step by step. */
export function comparePaths(former: MilestonePath, current: MilestonePath): ComparedPaths {
  const [before, after] = [describeSteps(former), describeSteps(current)];
  const placeAmong = (steps: readonly Described[], others: readonly Described[]) =>
    steps
      .filter(({ step }) => others.some((other) => other.step.key === step.key))
      .map(({ step }) => step.key);
  const [formerOrder, currentOrder] = [placeAmong(before, after), placeAmong(after, before)];
  const without = (steps: readonly Described[], others: readonly Described[]) =>
    steps.flatMap(({ step }) => (others.some((other) => other.step.key === step.key) ? [] : [step]));
  return {
    added: without(after, before),
    removed: without(before, after),
    changed: after.flatMap(({ step, seen }) => {
      const was = before.find((other) => other.step.key === step.key);
      if (!was) return [];
      const isMoved = formerOrder.indexOf(step.key) !== currentOrder.indexOf(step.key);
      return isMoved || !isDeepStrictEqual(was.seen, seen) ? [step] : [];
    }),
  };
}

interface Described {
  step: PathStep;
  /** A step as clients see it: with the name of its stage instead of the stage’s position, and the day of its figures. */
  seen: object;
}

const describeSteps = (path: MilestonePath): Described[] =>
  stepsInOrder(path).map((step) => {
    const figuresOf = hasUsualTimes(step) ? (path.figures_of ?? null) : null;
    return { step, seen: { ...step, stage: path.stages[step.stage], figuresOf } };
  });

/** The keys of the steps that follow a step. */
export const keysAfter = (path: MilestonePath, key: string): string[] => {
  const keys = stepsInOrder(path).map((step) => step.key);
  return keys.slice(keys.indexOf(key) + 1);
};

type Milestones = FeedRecord<'matters'>['milestones'];

/**
 * Moves the milestones of a matter’s record to another path. Steps in both paths stay unchanged; a new step before a
 * finished one is marked as not needed.
 * @param formerKeys the keys of all steps that the matter has
 */
export function withPath(
  { milestones, features = [] }: Pick<FeedRecord<'matters'>, 'milestones' | 'features'>,
  formerKeys: readonly string[],
  path: MilestonePath,
): Milestones {
  const stored = new Map(milestones.map((milestone) => [milestone.key, milestone]));
  const isDone = (key: string) => stored.get(key)?.status === 'done';
  return stepsInOrder(path).flatMap((step) => {
    const { key } = step;
    const own = stored.get(key);
    if (own) return [own];
    const isPassed =
      isForMatter(step, features) && !formerKeys.includes(key) && keysAfter(path, key).some(isDone);
    return isPassed ? [{ key, status: 'not_needed' as const }] : [];
  });
}
