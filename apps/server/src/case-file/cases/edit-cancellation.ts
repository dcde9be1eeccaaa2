import type { CancellationEdit, DeskCase } from '@keyturn/contract/staff';
import { invalidInput } from '../../platform/domain-error.ts';
import type { EditDependencies, EditRequest } from '../editing/edit-case.ts';
import { editRecord, restoringChanges, withChanges } from '../editing/edit-record.ts';
import { findCancellationProblem } from './cancellation.ts';

const fields = ['cancellation', 'cancellation_ends_on', 'cancellation_notice_given'] as const;

/**
 * Records until when the clients of a case can cancel the firm's services.
 * @throws DomainError `not_found`, `invalid_input`, `changed_meanwhile`, `unavailable`
 */
export async function editCancellation(
  dependencies: EditDependencies,
  request: EditRequest,
  id: string,
  { version, changes }: CancellationEdit,
): Promise<{ case: DeskCase; undo: CancellationEdit | null }> {
  const edited = { kind: 'case', id, version } as const;
  const { before, after, found } = await editRecord(dependencies, request, edited, {
    list: 'cases',
    change: (record) => {
      const isDated = (changes.cancellation ?? record.cancellation) === 'ends_on';
      const undated = { cancellation_ends_on: null, cancellation_notice_given: null };
      const changed = withChanges(record, isDated ? changes : { ...changes, ...undated });
      const problem = findCancellationProblem(changed);
      if (problem) throw invalidInput(`changes.${problem.field}`, texts[problem.field]);
      return changed;
    },
  });
  const restored = restoringChanges(before, after, fields);
  return {
    case: found,
    undo: restored && {
      version: found.version ?? '',
      changes: { ...restored, cancellation: before.cancellation ?? 'unknown' },
    },
  };
}

const texts: Record<(typeof fields)[number], string> = {
  cancellation: 'Choose what is known about the right to cancel.',
  cancellation_ends_on: 'Enter the last day on which the clients can cancel.',
  cancellation_notice_given:
    'Confirm that the clients were given the notice of the right to cancel and the cost of an early start. If not, choose “Not known”.',
};
