import { useCallback } from 'react';
import { errorText } from '../../api/client/staff-error.ts';
import { showToast } from './toast-store.ts';

export interface UndoableChange {
  /** What was done: “Exchange is marked as reached.” */
  text: string;
  /** Makes the opposite change. */
  undo(): Promise<unknown>;
  /** What is said when that is done: “Exchange is open again.” */
  undone: string;
}

/**
 * Returns a function that reports a change which was made, and offers for ten seconds to take it back. The offer stays
 * when the page that made it is left.
 */
export function useUndo(): (change: UndoableChange) => void {
  return useCallback(({ text, undo, undone }) => {
    const takeBack = () =>
      void undo().then(
        () => showToast(undone),
        (error: unknown) => showToast(`This could not be undone. ${errorText(error)}`, { tone: 'danger' }),
      );
    showToast(text, { undo: takeBack });
  }, []);
}
