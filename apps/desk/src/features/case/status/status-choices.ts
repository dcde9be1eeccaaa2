import { type CaseStatus, caseStatusOf } from '@keyturn/contract';
import type { DeskCase, DeskMatter, StatusEdit } from '@keyturn/contract/staff';

/** What clients see and can do while their case has a status. */
export const consequences: Record<CaseStatus, string> = {
  active: 'Clients see what happens next, and can pay for searches.',
  on_hold:
    'Clients read that nothing will happen until you restart the case. They cannot pay for searches until then.',
  completed:
    'Clients read on which day the case was completed. They can still read everything, and are asked for nothing but unpaid bills.',
  abandoned:
    'Clients read that the case has ended without completion. They can still read everything, and are asked for nothing but unpaid bills.',
};

/** What a member has chosen for one matter. */
export interface MatterChoice {
  status: CaseStatus;
  /** The day of completion, as entered. */
  completedOn: string;
}

/** The choices by the id of the matter. */
export type StatusChoices = Readonly<Record<string, MatterChoice>>;

export const storedChoices = (matters: readonly DeskMatter[]): StatusChoices =>
  Object.fromEntries(
    matters.map(({ id, status, completed_on }) => [id, { status, completedOn: completed_on ?? '' }]),
  );

/** The status that a case gets with these choices. */
export const chosenStatus = (choices: StatusChoices): CaseStatus =>
  caseStatusOf(Object.values(choices).map(({ status }) => status));

/** Returns the matters whose status was changed, as they are sent. */
export const changedMatters = (
  matters: readonly DeskMatter[],
  choices: StatusChoices,
): StatusEdit['matters'] =>
  matters.flatMap(({ id, version, status, completed_on }) => {
    const chosen = choices[id];
    if (!chosen || chosen.status === status) return [];
    const addsDay = chosen.status === 'completed' && completed_on === null && chosen.completedOn !== '';
    return [{ id, version, status: chosen.status, ...(addsDay ? { completed_on: chosen.completedOn } : {}) }];
  });

/** Lists what is still open on a case. */
export function openItems({ tasks, searches, bills, matters }: DeskCase): string[] {
  const counts: [number, one: string, several: string][] = [
    [tasks.filter(({ status }) => status === 'open').length, 'task', 'tasks'],
    [
      searches.filter(({ status }) => status === 'awaiting_payment').length,
      'search that is not paid for',
      'searches that are not paid for',
    ],
    [bills.filter(({ left }) => left > 0).length, 'unpaid bill', 'unpaid bills'],
    [
      matters.flatMap(({ milestones }) => milestones.filter(({ status }) => !closedSteps.includes(status)))
        .length,
      'step that is not done',
      'steps that are not done',
    ],
  ];
  return [
    ...searches.flatMap(({ name, money }) =>
      money?.is_under_way ? [`the payment for ${name}, which is under way`] : [],
    ),
    ...counts.flatMap(([count, one, several]) =>
      count === 0 ? [] : [`${count} ${count === 1 ? one : several}`],
    ),
  ];
}

const closedSteps = ['done', 'not_needed'];
