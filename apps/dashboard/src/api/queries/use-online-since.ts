import { useSyncExternalStore } from 'react';

/**
 * When the browser last came back online: milliseconds, 0 if it was never away since this page was opened, infinity while
 * it is away. Whatever was read before may be out of date.
 */
export function useOnlineSince(): number {
  return useSyncExternalStore(subscribe, () => onlineSince, neverOnServer);
}

const listeners = new Set<() => void>();
let onlineSince = 0;
let isListening = false;

function subscribe(listener: () => void) {
  // To the end: what happens while nobody looks counts as well.
  if (!isListening) {
    window.addEventListener('offline', onChange);
    window.addEventListener('online', onChange);
    isListening = true;
  }
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function onChange({ type }: Event) {
  onlineSince = type === 'offline' ? Number.POSITIVE_INFINITY : Date.now();
  for (const listener of [...listeners]) listener();
}

/** The frame is rendered by the build, too. */
const neverOnServer = () => 0;
