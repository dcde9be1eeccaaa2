import { useSyncExternalStore } from 'react';
import type { Announcement, LiveState } from '../services/live-store.ts';
import { useServices } from '../services/services.ts';

/** The real-time channel; only what is taken from it makes a part render anew. */
export function useLive<T extends string | number | boolean | null | readonly string[] | Announcement>(
  take: (live: LiveState) => T,
): T {
  const { live } = useServices();
  const taken = () => take(live.get());
  return useSyncExternalStore(live.subscribe, taken, taken);
}

export const useIsLive = (): boolean => useLive(({ status }) => status === 'live');
