import type { DeskMilestone, MilestoneEdit } from '@keyturn/contract/staff';
import { useToday } from '@keyturn/dashboard/ui/format/use-today.ts';
import { useRef } from 'react';
import { errorText } from '../../../api/client/staff-error.ts';
import { showToast } from '../../../ui/feedback/toast-store.ts';
import type { CaseChanges } from '../case-queries.ts';
import { sendMilestone } from '../edits/send-edits.ts';
import { toggleReached } from './milestone-edits.ts';

/** The edits that undo the steps reached in this tab, by the id of the step. */
const undoOf = new Map<string, MilestoneEdit | null>();

/** Returns a function that reaches a step with one press, or reopens it. A failure is shown, and changes nothing. */
export function useToggleReached(changes: CaseChanges): (milestone: DeskMilestone) => void {
  const today = useToday();
  // Holding a key down must not send the same edit twice.
  const sending = useRef(new Set<string>());
  return (milestone) => {
    const { id, title } = milestone;
    if (sending.current.has(id)) return;
    sending.current.add(id);
    const { edit, texts } = toggleReached(milestone, today, undoOf.get(id));
    void changes
      .save(sendMilestone(id), edit, texts)
      .then((undo) => void undoOf.set(id, undo))
      .catch((error: unknown) => {
        showToast(`${title} was not changed. ${errorText(error)}`, { tone: 'danger' });
        void changes.refresh();
      })
      .finally(() => sending.current.delete(id));
  };
}
