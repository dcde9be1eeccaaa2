import type { PersistedState } from '../api/session/persisted-state.ts';

export const guardMs = 10_000;

/**
 * Limits automatic reloads to one for each path in ten seconds, so that a screen that never loads cannot cause a reload
 * loop. Reloads are recorded in the tab's storage and in its history entry, which survives a reload without storage.
 */
export function createReloadGuard(
  tab: Pick<PersistedState, 'read' | 'write'>,
  history: Pick<History, 'state' | 'replaceState'>,
  now: () => number = Date.now,
) {
  // An end further away than that was recorded before the clock was set back.
  const isActive = (end: unknown) => typeof end === 'number' && end > now() && end <= now() + guardMs;
  return {
    /** Records a reload of the path. @returns false when the path must not be reloaded now */
    claim: (path: string): boolean => {
      const active = entriesOf(tab.read(storageKey)).filter(([, end]) => isActive(end));
      if (isActive(history.state?.[stateKey]) || active.some(([guarded]) => guarded === path)) return false;
      const end = now() + guardMs;
      tab.write(storageKey, Object.fromEntries([...active, [path, end]]));
      return recordInHistory(history, end);
    },
  };
}

const storageKey = 'reloads';
const stateKey = 'keyturnNoReloadUntil';

const entriesOf = (stored: unknown): [string, unknown][] =>
  typeof stored === 'object' && stored !== null ? Object.entries(stored) : [];

/** @returns whether the record was written: without one, nothing would stop a reload loop */
function recordInHistory(history: Pick<History, 'state' | 'replaceState'>, end: number): boolean {
  try {
    // wouter wraps the instance's own method and would report the call as a navigation.
    const { replaceState } = Object.getPrototypeOf(history) as History;
    replaceState.call(history, { ...history.state, [stateKey]: end }, '');
    return history.state?.[stateKey] === end;
  } catch {
    return false;
  }
}
