import type { QuietEdit } from '@keyturn/contract/staff';
import { errorText } from '../../../api/client/staff-error.ts';
import { callStaff } from '../../../api/desk-api.ts';
import { showToast } from '../../../ui/feedback/toast-store.ts';
import type { CaseChanges } from '../case-queries.ts';

/** Makes a case or a step quiet, or ends that. A failure is shown, and changes nothing. @param name of the step or case */
export const saveQuiet = (
  changes: CaseChanges,
  caseId: string,
  edit: QuietEdit,
  name: string,
): Promise<void> =>
  changes
    .make(
      callStaff('PUT /staff/cases/{id}/quiet', { params: { id: caseId }, body: edit }),
      edit.is_quiet ? `${name} is quiet.` : `${name} is no longer quiet.`,
    )
    .catch((error: unknown) => showToast(`${name} was not changed. ${errorText(error)}`, { tone: 'danger' }));
