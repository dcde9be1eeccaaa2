import type { DeskMilestone, MilestoneEdit } from '@keyturn/contract/staff';
import { useToday } from '@keyturn/ui/hooks/use-today.ts';
import { useRef } from 'react';
import { codeOf, errorText } from '../../../api/client/staff-error.ts';
import { showToast } from '../../../ui/feedback/toast-store.ts';
import type { CaseChanges } from '../case-queries.ts';
import { sendMilestone } from '../edits/send-edits.ts';
import { allMilestones, toggleReached } from './milestone-edits.ts';

/** The edits that undo the steps reached in this tab, by the id of the step. */
const undoOf = new Map<string, MilestoneEdit | null>();

/** Returns a function that reaches a step with one press, or reopens it. A failure is shown, and changes nothing. */
export function useToggleReached(changes: CaseChanges): (milestone: DeskMilestone) => void {
  const today = useToday();
  // Holding a key down must not send the same edit twice.
  const sending = useRef(new Set<string>());
  const toggle = (milestone: DeskMilestone) => {
    const { edit, texts } = toggleReached(milestone, today, undoOf.get(milestone.id));
    return changes.save(sendMilestone(milestone.id), edit, texts);
  };
  /** Toggles the newest version of a step whose status has not changed, although something else has. */
  const toggleNewest = async ({ id, status }: DeskMilestone, conflict: unknown) => {
    if (codeOf(conflict) !== 'changed_meanwhile') throw conflict;
    const newest = allMilestones(await changes.reread()).find((each) => each.id === id);
    if (newest?.status !== status) throw conflict;
    return toggle(newest);
  };
  return (milestone) => {
    const { id, title } = milestone;
    if (sending.current.has(id)) return;
    sending.current.add(id);
    void toggle(milestone)
      .catch((error: unknown) => toggleNewest(milestone, error))
      .then((undo) => void undoOf.set(id, undo))
      .catch((error: unknown) => {
        showToast(`${title} was not changed. ${errorText(error)}`, { tone: 'danger' });
        void changes.refresh();
      })
      .finally(() => sending.current.delete(id));
  };
}
