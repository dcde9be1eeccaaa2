import type { DeskCase } from '@keyturn/contract/staff';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { callStaff } from '../../api/desk-api.ts';
import { showToast } from '../../ui/feedback/toast-store.ts';
import { useUndo } from '../../ui/feedback/use-undo.ts';

/** The prefix of the query keys of a case. */
export const caseKey = (caseId: string) => ['case', caseId];

const caseQuery = (caseId: string) => ({
  queryKey: caseKey(caseId),
  // Fetched again when clients or colleagues change the case.
  meta: { follows: { caseId } },
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    callStaff('GET /staff/cases/{id}', { params: { id: caseId }, signal }),
});

/** A case with everything that staff need to run it. */
export const useDeskCase = (caseId: string) => useQuery({ ...caseQuery(caseId), refetchOnWindowFocus: true });

/** The answer to an edit, with the edit that undoes it, if there is one. */
export interface SavedEdit<Edit> {
  undo: Edit | null;
}

export type SendEdit<Edit> = (edit: Edit) => Promise<SavedEdit<Edit>>;

/** The messages about a change, and about undoing it. */
export interface ChangeTexts {
  /** “Exchange is marked as reached.” */
  done: string;
  /** “Exchange is open again.” */
  undone: string;
}

/** Returns functions that change a case and show the result. */
export function useCaseChanges(caseId: string) {
  const queries = useQueryClient();
  const offerUndo = useUndo();
  const refresh = () => queries.invalidateQueries({ queryKey: caseKey(caseId) });
  return {
    refresh,
    /** Reads the newest state from the server. */
    reread: (): Promise<DeskCase> => queries.fetchQuery({ ...caseQuery(caseId), staleTime: 0 }),
    /** Saves an edit, and offers to undo it for ten seconds. @returns the edit that undoes it @throws ApiError */
    save: async <Edit>(
      send: SendEdit<Edit>,
      edit: Edit,
      { done, undone }: ChangeTexts,
    ): Promise<Edit | null> => {
      const { undo } = await send(edit);
      void refresh();
      const takeBack = async (opposite: Edit) => {
        await send(opposite);
        await refresh();
      };
      if (undo) offerUndo({ text: done, undo: () => takeBack(undo), undone });
      else showToast(done);
      return undo;
    },
    /**
     * Makes a change that cannot be undone, and shows a message.
     * @param done the message, or a function that derives it from the answer
     * @throws ApiError
     */
    make: async <Answer>(
      change: Promise<Answer>,
      done: string | ((answer: Answer) => string),
    ): Promise<void> => {
      const answer = await change;
      void refresh();
      showToast(typeof done === 'string' ? done : done(answer));
    },
  };
}

export type CaseChanges = ReturnType<typeof useCaseChanges>;
