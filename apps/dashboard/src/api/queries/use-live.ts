import { useSyncExternalStore } from 'react';
import type { Announcement, LiveState } from '../services/live-store.ts';
import { useServices } from '../services/services.ts';

/** Reads a value from the state of live updates. The component renders again only if the selected value changes. */
export function useLive<T extends string | number | boolean | null | readonly string[] | Announcement>(
  select: (state: LiveState) => T,
): T {
  const { live } = useServices();
  const read = () => select(live.get());
  return useSyncExternalStore(live.subscribe, read, read);
}

/** Returns whether live updates are connected. */
export const useIsLive = (): boolean => useLive(({ status }) => status === 'live');
