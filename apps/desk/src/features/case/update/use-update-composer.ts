import type { DeskCase, DeskMilestone } from '@keyturn/contract/staff';
import { joinNames } from '@keyturn/format/join-names';
import { useToday } from '@keyturn/ui/hooks/use-today.ts';
import { useState } from 'react';
import { codeOf } from '../../../api/client/staff-error.ts';
import { getConfig } from '../../../api/config.ts';
import { callStaff, useMember } from '../../../api/desk-api.ts';
import { focusHeading } from '../../../ui/base/focus-heading.ts';
import type { CaseChanges } from '../case-queries.ts';
import { promisedDay, stepsUnderWay, usualSteps } from './promise-choices.ts';
import { createUpdateDrafts, type UpdateDraft } from './update-drafts.ts';

/** The update that is written for a case. Its draft survives a reload. */
export function useUpdateComposer(deskCase: DeskCase, changes: CaseChanges) {
  const { id: memberId } = useMember();
  const { firm } = getConfig();
  const today = useToday();
  const closedOn = firm?.closed_on ?? [];
  const [drafts] = useState(() => createUpdateDrafts(memberId));
  const [kept] = useState(() => drafts.read(deskCase.id));
  const [draft, setDraft] = useState(kept ?? newDraft());
  const [isOpen, setOpen] = useState(kept !== null);
  const [focusRequests, setFocusRequests] = useState(0);

  const steps = stepsUnderWay(deskCase.matters.flatMap(({ milestones }) => milestones));
  const chosen = draft.stepIds ?? usualSteps(steps);
  const chosenSteps = steps.filter(({ id }) => chosen.includes(id));
  const day = promisedDay(draft, { today, closedOn });

  const change = (changed: Partial<UpdateDraft>) => {
    const next = { ...draft, ...changed };
    setDraft(next);
    if (next.text.trim() === '') drafts.remove(deskCase.id);
    else drafts.save(deskCase.id, next);
  };
  const close = () => {
    setOpen(false);
    // The form with the focus is gone.
    focusHeading();
  };
  const forget = () => {
    drafts.remove(deskCase.id);
    setDraft(newDraft());
    setOpen(false);
  };
  return {
    draft,
    change,
    steps,
    chosenSteps,
    /** The promised day; null for no new promise, undefined while none is chosen. */
    day,
    today,
    closedOn,
    reference: deskCase.reference,
    recipients: joinNames(deskCase.clients.map(({ first_name }) => first_name)),
    isOpen,
    /** Increases each time the member opens it, so that the text gets the focus again. */
    focusRequests,
    open: () => {
      setOpen(true);
      setFocusRequests((count) => count + 1);
    },
    /** Closes the form and keeps the draft. */
    close,
    discard: () => {
      forget();
      focusHeading();
    },
    /**
     * Sends the update and closes the form. The focus stays, because the member may already be writing to the next
     * case.
     * @throws ApiError; the text is kept
     */
    send: async (recipients: string) => {
      const sending = callStaff('POST /staff/cases/{id}/updates', {
        params: { id: deskCase.id },
        body: { id: draft.id, text: draft.text.trim(), promises: promisesOf(chosenSteps, day) },
      });
      try {
        await changes.make(sending, `Sent to ${recipients}.`);
      } catch (error) {
        // The newest steps, so that sending again can succeed.
        if (codeOf(error) === 'changed_meanwhile') await changes.refresh();
        throw error;
      }
      forget();
    },
  };
}

export type UpdateComposerState = ReturnType<typeof useUpdateComposer>;

const promisesOf = (steps: readonly DeskMilestone[], day: string | null | undefined) =>
  typeof day === 'string'
    ? steps.map(({ id, version }) => ({ milestone_id: id, version, next_update_by: day }))
    : [];

const newDraft = (): UpdateDraft => ({
  id: crypto.randomUUID(),
  text: '',
  choice: '5',
  day: '',
  stepIds: null,
});
