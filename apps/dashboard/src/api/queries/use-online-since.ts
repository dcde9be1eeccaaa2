import { useSyncExternalStore } from 'react';

/**
 * Returns when the browser last came back online. Data fetched before then may be out of date.
 * @returns milliseconds since the epoch; 0 if it has been online since the page was opened; infinity while it is offline
 */
export function useOnlineSince(): number {
  return useSyncExternalStore(subscribe, () => onlineSince, neverOffline);
}

const listeners = new Set<() => void>();
let onlineSince = 0;
let isListening = false;

function subscribe(listener: () => void) {
  // Never removed: connection losses count even while no component is subscribed.
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

/** The build prerenders pages without a browser. */
const neverOffline = () => 0;
