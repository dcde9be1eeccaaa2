import { useSelected } from '@keyturn/browser/store/create-store.ts';
import type { Announcement, LiveState } from '../services/live-store.ts';
import { useServices } from '../services/services.ts';

/** Reads a value from the state of live updates. The component renders again only if the selected value changes. */
export const useLive = <T extends string | number | boolean | null | readonly string[] | Announcement>(
  select: (state: LiveState) => T,
): T => useSelected(useServices().live, select);

/** Returns whether live updates are connected. */
export const useIsLive = (): boolean => useLive(({ status }) => status === 'live');
