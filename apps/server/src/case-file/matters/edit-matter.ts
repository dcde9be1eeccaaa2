import type {
  DatesEdit,
  DeskMatter,
  DeskMilestone,
  FeaturesEdit,
  MilestoneEdit,
} from '@keyturn/contract/staff';
import { londonDay } from '@keyturn/format/london-time';
import { invalidInput } from '../../platform/domain-error.ts';
import { findInCase } from '../cases/read-desk-case.ts';
import type { EditDependencies, EditRequest } from '../editing/edit-case.ts';
import { editRecord, restoringChanges, withChanges } from '../editing/edit-record.ts';
import { changeMilestone, milestoneIn, withMilestone } from '../milestones/milestone-edits.ts';
import { assertOrdinaryIfQuiet } from '../quiet/assert-ordinary-if-quiet.ts';

const milestoneFields = [
  'status',
  'reached_on',
  'waiting_for',
  'waiting_since',
  'next_update_by',
  'expected_from',
  'expected_to',
] as const;

/** Edits a milestone. @throws DomainError `not_found`, `invalid_input`, `changed_meanwhile`, `unavailable` */
export async function editMilestone(
  dependencies: EditDependencies,
  request: EditRequest,
  id: string,
  edit: MilestoneEdit,
): Promise<{ milestone: DeskMilestone; undo: MilestoneEdit | null }> {
  const today = londonDay(dependencies.clock());
  const edited = { kind: 'milestone', id, version: edit.version } as const;
  const { before, after, locked, found } = await editRecord(dependencies, request, edited, {
    list: 'matters',
    change: (matter, { key }) =>
      withMilestone(matter, changeMilestone(milestoneIn(matter, key), edit, today)),
    storeBefore: async ({ transaction }) => {
      const text = edit.changes.waiting_for;
      if (text) await assertOrdinaryIfQuiet(transaction, id, text);
    },
  });
  const milestone = findInCase(found, 'milestone', id) as DeskMilestone;
  const { key } = locked;
  const changes = restoringChanges(milestoneIn(before, key), milestoneIn(after, key), milestoneFields);
  return { milestone, undo: changes && { version: milestone.version, changes, is_undo: true } };
}

const dateFields = ['target_exchange_on', 'target_completion_on', 'completed_on'] as const;

/** Changes the key dates of a matter. @throws DomainError as `editMilestone` */
export async function editDates(
  dependencies: EditDependencies,
  request: EditRequest,
  id: string,
  { version, changes }: DatesEdit,
): Promise<{ matter: DeskMatter; undo: DatesEdit | null }> {
  const today = londonDay(dependencies.clock());
  const { before, after, found } = await editRecord(
    dependencies,
    request,
    { kind: 'matter', id, version },
    {
      list: 'matters',
      change: (matter) => {
        if ((changes.completed_on ?? '') > today)
          throw invalidInput('changes.completed_on', 'is in the future');
        return withChanges(matter, changes);
      },
    },
  );
  const matter = findInCase(found, 'matter', id) as DeskMatter;
  const restored = restoringChanges(before, after, dateFields);
  return { matter, undo: restored && { version: matter.version, changes: restored } };
}

/**
 * Changes what makes a matter special: it gets the steps for it, and loses those about which the firm has entered nothing.
 * @throws DomainError as `editMilestone`
 */
export async function editFeatures(
  dependencies: EditDependencies,
  request: EditRequest,
  id: string,
  { version, changes }: FeaturesEdit,
): Promise<{ matter: DeskMatter; undo: FeaturesEdit | null }> {
  const edited = { kind: 'matter', id, version } as const;
  const { before, after, found } = await editRecord(dependencies, request, edited, {
    list: 'matters',
    change: (matter) => ({ ...matter, features: changes.features }),
  });
  const matter = findInCase(found, 'matter', id) as DeskMatter;
  const restored = restoringChanges(before, after, ['features']);
  return {
    matter,
    undo: restored && { version: matter.version, changes: { features: before.features ?? [] } },
  };
}
