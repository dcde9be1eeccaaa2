import type { MilestoneStatus } from '@keyturn/contract';
import type { DeskCase, DeskMilestone, MilestoneEdit } from '@keyturn/contract/staff';
import type { ChangeTexts } from '../case-queries.ts';
import type { StoredValues } from '../edits/edit-dialog.tsx';
import type { EditField } from '../edits/edit-fields.tsx';
import { emptyToNull, type FormValues } from '../edits/form-values.ts';

export type MilestoneField =
  | 'status'
  | 'reached_on'
  | 'waiting_for'
  | 'waiting_since'
  | 'next_update_by'
  | 'expected_from'
  | 'expected_to';

export const milestoneStatusNames: Record<MilestoneStatus, string> = {
  upcoming: 'To come',
  current: 'Under way',
  blocked: 'Held up',
  done: 'Done',
  not_needed: 'Not needed',
};

/**
 * @param waitingHint what clients see of the text in the field “Waiting for”
 * @param waiting.texts the firm’s waiting texts
 * @param waiting.choiceWith the stored text of a quiet step, which can be only this or one of the firm’s; null for any text
 */
export const milestoneFields = (
  waitingHint: string,
  waiting: { texts: readonly string[]; choiceWith: string | null },
): readonly EditField<MilestoneField>[] => [
  {
    name: 'status',
    label: 'Status',
    kind: 'choice',
    options: Object.entries(milestoneStatusNames).map(([value, name]) => ({ value, name })),
  },
  { name: 'reached_on', label: 'Reached on', kind: 'day' },
  {
    name: 'waiting_for',
    label: 'Waiting for',
    hint: waitingHint,
    ...(waiting.choiceWith === null
      ? { maxLength: 200, suggestions: waiting.texts }
      : { kind: 'choice', options: waitingChoices(waiting.texts, waiting.choiceWith) }),
  },
  { name: 'waiting_since', label: 'Waiting since', kind: 'day' },
  { name: 'next_update_by', label: 'Next update by', hint: 'A promise to the clients.', kind: 'day' },
  { name: 'expected_from', label: 'Expected from', kind: 'day' },
  { name: 'expected_to', label: 'Expected to', kind: 'day' },
];

const waitingChoices = (texts: readonly string[], stored: string) => [
  { value: '', name: 'What Keyturn works out' },
  ...[...new Set([...(stored ? [stored] : []), ...texts])].map((text) => ({ value: text, name: text })),
];

/** The fields of a milestone’s form. */
export const storedMilestone = (milestone: DeskMilestone): StoredValues<MilestoneField> => ({
  version: milestone.version,
  values: {
    status: milestone.status,
    reached_on: milestone.reached_on ?? '',
    waiting_for: milestone.own_waiting_for ?? '',
    waiting_since: milestone.own_waiting_since ?? '',
    next_update_by: milestone.next_update_by ?? '',
    expected_from: milestone.expected_from ?? '',
    expected_to: milestone.expected_to ?? '',
  },
});

export const allMilestones = ({ matters }: Pick<DeskCase, 'matters'>): DeskMilestone[] =>
  matters.flatMap(({ milestones }) => milestones);

/**
 * Converts the changed fields of the form to an edit. An empty field removes the stored value. A step that is set to
 * reached without a day was reached today.
 */
export function milestoneEdit(
  { status, ...texts }: Partial<FormValues<MilestoneField>>,
  { version, today }: { version: string; today: string },
): MilestoneEdit {
  const reached = status === 'done' && !texts.reached_on ? { reached_on: today } : {};
  return {
    version,
    changes: {
      ...(status === undefined ? {} : { status: status as MilestoneStatus }),
      ...emptyToNull(texts),
      ...reached,
    },
  };
}

/**
 * The edit of one press: reaches a step today, or reopens one that was reached.
 * @param undo the edit that undoes reaching the step, if this page knows it, because the step may not have been under
 *   way before. It is not used once the step was changed again.
 */
export function toggleReached(
  { title, status, version }: Pick<DeskMilestone, 'title' | 'status' | 'version'>,
  today: string,
  undo: MilestoneEdit | null = null,
): {
  edit: MilestoneEdit;
  texts: ChangeTexts;
} {
  if (status !== 'done')
    return {
      edit: { version, changes: { status: 'done', reached_on: today } },
      texts: { done: `${title} marked as reached.`, undone: `Change to ${title} undone.` },
    };
  const undone = `${title} marked as reached again.`;
  if (undo?.version === version) return { edit: undo, texts: { done: `Change to ${title} undone.`, undone } };
  return {
    edit: { version, changes: { status: 'current', reached_on: null } },
    texts: { done: `${title} is under way again.`, undone },
  };
}
