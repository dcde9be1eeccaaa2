import { useSyncExternalStore } from 'react';
import type { Live, Told } from '../services/live-state.ts';
import { useServices } from '../services/services.ts';

/** The real-time channel; only what is taken from it makes a part render anew. */
export function useLive<T extends string | number | boolean | null | readonly string[] | Told>(
  take: (live: Live) => T,
): T {
  const { live } = useServices();
  const taken = () => take(live.get());
  return useSyncExternalStore(live.subscribe, taken, taken);
}

export const useIsLive = (): boolean => useLive(({ status }) => status === 'live');
