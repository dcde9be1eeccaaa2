import { addDays } from '@keyturn/format/london-time';
import { addWorkingDays } from '@keyturn/format/working-days';

/** The next promised update: in a number of working days, on a day, or as promised before. */
export const promiseChoices = ['1', '2', '5', '10', 'day', 'same'] as const;
export type PromiseChoice = (typeof promiseChoices)[number];

export interface NewPromise {
  choice: PromiseChoice;
  /** For `day`: `YYYY-MM-DD`, or empty. */
  day: string;
}

/**
 * Returns the day that a choice promises.
 * @param closedOn days on which the firm is closed
 * @returns null if there is no new promise; undefined if no valid day is chosen
 */
export function promisedDay(
  { choice, day }: NewPromise,
  { today, closedOn }: { today: string; closedOn: readonly string[] },
): string | null | undefined {
  if (choice === 'same') return null;
  if (choice !== 'day') return addWorkingDays(today, Number(choice), closedOn);
  return /^\d{4}-\d\d-\d\d$/.test(day) && day >= today && day <= addDays(today, maxDays) ? day : undefined;
}

/** A day more than two years ahead is a typing error. */
const maxDays = 730;

/** The fields of a step that a promise uses. */
export interface PromisedStep {
  id: string;
  status: string;
  next_update_by: string | null;
}

/** The steps for which an update can make promises: those under way. */
export const stepsUnderWay = <Step extends PromisedStep>(steps: readonly Step[]): Step[] =>
  steps.filter(({ status }) => status === 'current' || status === 'blocked');

/** The default steps of a new promise: those with a promise, or otherwise the first. */
export function usualSteps(steps: readonly PromisedStep[]): string[] {
  const underWay = stepsUnderWay(steps);
  const promised = underWay.filter(({ next_update_by }) => next_update_by !== null);
  return (promised.length > 0 ? promised : underWay.slice(0, 1)).map(({ id }) => id);
}

export type PromiseState =
  | { kind: 'none' }
  /** `day` is the earliest promised day. */
  | { kind: 'missed' | 'today' | 'later'; day: string };

/** The earliest promise of the steps under way. */
export function promiseState(steps: readonly PromisedStep[], today: string): PromiseState {
  const [day] = stepsUnderWay(steps)
    .flatMap(({ next_update_by }) => next_update_by ?? [])
    .sort();
  if (day === undefined) return { kind: 'none' };
  return { kind: day < today ? 'missed' : day === today ? 'today' : 'later', day };
}
