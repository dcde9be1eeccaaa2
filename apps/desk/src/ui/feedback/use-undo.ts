import { errorText } from '../../api/client/staff-error.ts';
import { showToast } from './toast-store.ts';

export interface UndoableChange {
  /** The message about the change: “Exchange marked as reached.” */
  text: string;
  /** Makes the opposite change. */
  undo(): Promise<unknown>;
  /** The message after undoing it: “Exchange is open again.” */
  undone: string;
}

/**
 * Reports a change that was made, and offers for ten seconds to undo it. The offer stays when the member leaves the page
 * on which they made the change.
 */
export function offerUndo({ text, undo, undone }: UndoableChange): void {
  const takeBack = () =>
    void undo().then(
      () => showToast(undone),
      (error: unknown) => showToast(`This could not be undone. ${errorText(error)}`, { tone: 'danger' }),
    );
  showToast(text, { undo: takeBack });
}

/** Returns `offerUndo`, the same function each time. */
export const useUndo = (): ((change: UndoableChange) => void) => offerUndo;
