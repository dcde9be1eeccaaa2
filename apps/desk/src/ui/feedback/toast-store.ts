import { createStore } from '../../api/create-store.ts';
import { onNewSession } from '../../api/desk-api.ts';

export interface Toast {
  id: number;
  text: string;
  tone: 'good' | 'danger';
  /** Takes back what the toast reports. */
  undo: (() => void) | null;
}

/** The messages shown now, oldest first. */
export const toasts = createStore<readonly Toast[]>([]);

onNewSession.add(() => toasts.set([]));

/** Milliseconds that a message is shown, while the pointer and the focus are elsewhere. */
export const toastTime = 10_000;

const maxToasts = 3;
let lastId = 0;

/** Shows a message for ten seconds. */
export function showToast(
  text: string,
  { tone = 'good', undo = null }: Partial<Pick<Toast, 'tone' | 'undo'>> = {},
) {
  lastId += 1;
  toasts.set([...toasts.get(), { id: lastId, text, tone, undo }].slice(-maxToasts));
}

export function dismissToast(id: number): void {
  toasts.set(toasts.get().filter((toast) => toast.id !== id));
}
