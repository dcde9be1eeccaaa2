import { useEffect, useRef, useState } from 'react';
import { summariseChanges } from './announcement-text.ts';

const minIntervalMs = 5_000;
const showForMs = 12_000;

export interface ToastQueue {
  /** The text to show; null for none. */
  shownText: string | null;
  /** Queues summaries of changes, newest first. */
  announce(summaries: string[]): void;
  dismiss(): void;
}

/** Shows one text at a time. Changes that arrive within five seconds of the last text are summarised in the next one. */
export function useToastQueue(): ToastQueue {
  const [shownText, setShownText] = useState<string | null>(null);
  const queued = useRef<string[]>([]);
  const lastShownAt = useRef(Number.NEGATIVE_INFINITY);
  const showTimer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const hideTimer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const show = () => {
    showTimer.current = undefined;
    const text = summariseChanges(queued.current.splice(0));
    if (text === null) return;
    lastShownAt.current = performance.now();
    setShownText(text);
    clearTimeout(hideTimer.current);
    hideTimer.current = setTimeout(() => setShownText(null), showForMs);
  };
  useEffect(
    () => () => {
      clearTimeout(showTimer.current);
      clearTimeout(hideTimer.current);
    },
    [],
  );
  return {
    shownText,
    announce: (summaries) => {
      queued.current.unshift(...summaries);
      const waitMs = Math.max(0, lastShownAt.current + minIntervalMs - performance.now());
      showTimer.current ??= setTimeout(show, waitMs);
    },
    dismiss: () => setShownText(null),
  };
}
