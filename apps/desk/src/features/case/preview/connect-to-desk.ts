import type { QueryClient } from '@tanstack/react-query';
import { refetchMessage } from './preview-messages.ts';

/**
 * Connects the preview with the page of the desk that contains it: it refetches when the desk says so, and passes on keys
 * that mean nothing in the preview, so that the desk’s keys work wherever the focus is.
 */
export function connectToDesk(window: Window, queries: QueryClient): void {
  const { parent } = window;
  if (parent === window) return;
  window.addEventListener('message', ({ source, origin, data }) => {
    if (source === parent && origin === window.location.origin && data === refetchMessage)
      void queries.invalidateQueries();
  });
  window.document.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (!/^[!-~]$|^Escape$/.test(event.key) || isEditable(event.target)) return;
    const { key, shiftKey } = event;
    parent.focus();
    parent.document.body.dispatchEvent(
      new KeyboardEvent('keydown', { key, shiftKey, bubbles: true, cancelable: true }),
    );
  });
}

const isEditable = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('input, select, textarea, [contenteditable]') !== null;
