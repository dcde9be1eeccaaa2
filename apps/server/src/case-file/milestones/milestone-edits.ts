import type { FeedRecord } from '@keyturn/contract';
import type { MilestoneEdit } from '@keyturn/contract/staff';
import { invalidInput, notPossible } from '../../platform/domain-error.ts';
import { withChanges } from '../editing/edit-record.ts';

type MatterRecord = FeedRecord<'matters'>;
type MilestoneRecord = MatterRecord['milestones'][number];

const underWay: readonly MilestoneRecord['status'][] = ['current', 'blocked'];

/** @returns a milestone of a matter’s record, which leaves out those that are upcoming */
export const milestoneIn = (matter: MatterRecord, key: string): MilestoneRecord =>
  matter.milestones.find((milestone) => milestone.key === key) ?? { key, status: 'upcoming' };

/** @returns the matter with another state of one milestone, in the same order */
export const withMilestone = (matter: MatterRecord, milestone: MilestoneRecord): MatterRecord => {
  const isSent = matter.milestones.some(({ key }) => key === milestone.key);
  return {
    ...matter,
    milestones: isSent
      ? matter.milestones.map((each) => (each.key === milestone.key ? milestone : each))
      : [...matter.milestones, milestone],
  };
};

/**
 * Applies an edit to a milestone. A finished step waits for no one and has no promise; an unfinished step has no day
 * on which it was reached.
 * @param today in London
 * @throws DomainError `invalid_input`
 */
export function changeMilestone(
  before: MilestoneRecord,
  { changes, is_undo }: Pick<MilestoneEdit, 'changes' | 'is_undo'>,
  today: string,
): MilestoneRecord {
  const status = changes.status ?? before.status;
  if (before.key === 'exchanged' && (status === 'done' || before.status === 'done'))
    throw notPossible(
      'Exchange is marked, and taken back, under “Key dates” in the overview of the case, with the completion date, the deposit and who authorised it.',
    );
  const isOver = status === 'done' || status === 'not_needed';
  const implied = {
    ...(status === 'done' ? {} : { reached_on: null }),
    ...(isOver && status !== before.status
      ? { waiting_for: null, waiting_since: null, next_update_by: null }
      : {}),
  };
  const after = withChanges(before, { ...implied, ...changes });
  if (status === 'done' && after.reached_on === undefined)
    throw invalidInput('changes.reached_on', 'is needed for a milestone that is done');
  if (status !== 'done' && after.reached_on !== undefined)
    throw invalidInput('changes.reached_on', 'is only for a milestone that is done');
  if (after.reached_on !== undefined && after.reached_on > today)
    throw invalidInput('changes.reached_on', 'is in the future');
  if (after.waiting_since !== undefined && after.waiting_since > today)
    throw invalidInput('changes.waiting_since', 'is in the future');
  if (after.expected_from && after.expected_to && after.expected_from > after.expected_to)
    throw invalidInput('changes.expected_to', 'is before the start of the range');
  // Undoing can restore a promise that was missed.
  if (changes.next_update_by && changes.next_update_by < today && !is_undo)
    throw invalidInput('changes.next_update_by', 'is in the past');
  return after;
}

/** Changes the promise of a step that an update is about. @throws DomainError `edit_not_possible`, `invalid_input` */
export function changePromise(
  before: MilestoneRecord,
  nextUpdateBy: string | null,
  today: string,
): MilestoneRecord {
  if (!underWay.includes(before.status))
    throw notPossible('A promise belongs to a step that is under way. One of these steps no longer is.');
  return changeMilestone(before, { changes: { next_update_by: nextUpdateBy } }, today);
}
