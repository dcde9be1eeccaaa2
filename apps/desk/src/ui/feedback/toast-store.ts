import { createStore } from '@keyturn/browser/store/create-store.ts';
import { errorText } from '../../api/client/staff-error.ts';
import { onNewSession } from '../../api/desk-api.ts';

export interface ToastMessage {
  id: number;
  text: string;
  tone: 'good' | 'danger';
  /** Undoes the change that the toast reports. */
  undo: (() => void) | null;
  /** Whether it is shown until the member dismisses it. */
  stays: boolean;
}

/** The messages shown now, oldest first. */
export const toasts = createStore<readonly ToastMessage[]>([]);

onNewSession.add(() => toasts.set([]));

/** The time, in milliseconds, for which a message is shown while the pointer and the focus are elsewhere. */
export const toastTime = 10_000;

const maxToasts = 3;
let lastId = 0;

/** Shows a message for ten seconds, or until it is dismissed. */
export function showToast(
  text: string,
  { tone = 'good', undo = null, stays = false }: Partial<Omit<ToastMessage, 'id' | 'text'>> = {},
) {
  lastId += 1;
  const shown = [...toasts.get(), { id: lastId, text, tone, undo, stays }];
  const passing = shown.filter((toast) => !toast.stays).slice(-maxToasts);
  toasts.set(shown.filter((toast) => toast.stays || passing.includes(toast)));
}

/** Shows a message about a failed call. */
export const showFailure = (error: unknown): void => showToast(errorText(error), { tone: 'danger' });

export function dismissToast(id: number): void {
  toasts.set(toasts.get().filter((toast) => toast.id !== id));
}
