import { useSyncExternalStore } from 'react';

/**
 * When the browser last went offline or came back: milliseconds, 0 if neither since this page was opened. Whatever was
 * read before may be out of date; what has been read since is true, whatever the browser thinks of its network.
 */
export function useNetworkChange(): number {
  return useSyncExternalStore(subscribe, () => changedAt, neverOnServer);
}

const listeners = new Set<() => void>();
let changedAt = 0;

function subscribe(listener: () => void) {
  if (listeners.size === 0) for (const name of changes) window.addEventListener(name, onChange);
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) for (const name of changes) window.removeEventListener(name, onChange);
  };
}

const changes = ['offline', 'online'] as const;

function onChange() {
  changedAt = Date.now();
  for (const listener of [...listeners]) listener();
}

/** The frame is rendered by the build, too. */
const neverOnServer = () => 0;
