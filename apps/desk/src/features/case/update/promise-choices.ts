import { addDays } from '@keyturn/format/london-time';
import { addWorkingDays } from '@keyturn/format/working-days';

/** When the clients hear next: in a number of working days, on a day, or as promised before. */
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
 * @returns null if nothing new is promised; undefined if no valid day is chosen
 */
export function promisedDay(
  { choice, day }: NewPromise,
  { today, closedOn }: { today: string; closedOn: readonly string[] },
): string | null | undefined {
  if (choice === 'same') return null;
  if (choice !== 'day') return addWorkingDays(today, Number(choice), closedOn);
  return /^\d{4}-\d\d-\d\d$/.test(day) && day >= today && day <= addDays(today, maxDays) ? day : undefined;
}

/** No one plans an update for later than in two years: such a day is a typing error. */
const maxDays = 730;

/** A step as much as a promise is about it. */
export interface PromisedStep {
  id: string;
  status: string;
  next_update_by: string | null;
}

/** The steps that an update can promise news of: those under way. */
export const stepsUnderWay = <Step extends PromisedStep>(steps: readonly Step[]): Step[] =>
  steps.filter(({ status }) => status === 'current' || status === 'blocked');

/** The steps that a new promise is for unless the member chooses others: those with a promise, or else the first. */
export function usualSteps(steps: readonly PromisedStep[]): string[] {
  const underWay = stepsUnderWay(steps);
  const promised = underWay.filter(({ next_update_by }) => next_update_by !== null);
  return (promised.length > 0 ? promised : underWay.slice(0, 1)).map(({ id }) => id);
}

export type PromiseState =
  | { kind: 'none' }
  /** `steps` that were promised by `day`, or before. */
  | { kind: 'missed' | 'today' | 'later'; day: string };

/** The earliest promise of the steps under way. */
export function promiseState(steps: readonly PromisedStep[], today: string): PromiseState {
  const [day] = stepsUnderWay(steps)
    .flatMap(({ next_update_by }) => next_update_by ?? [])
    .sort();
  if (day === undefined) return { kind: 'none' };
  return { kind: day < today ? 'missed' : day === today ? 'today' : 'later', day };
}
