import type { PersistedState } from '../api/session/persisted-state.ts';

/** Milliseconds. */
export const guardMs = 10_000;

/**
 * Loading a page anew by itself: once for each path within ten seconds. That is noted in the tab's storage and in the
 * entry of its history, which a reload keeps where there is no storage.
 */
export function createReloadGuard(
  tab: Pick<PersistedState, 'read' | 'write'>,
  history: Pick<History, 'state' | 'replaceState'>,
  now: () => number = Date.now,
) {
  // One that is further away was set by a clock that has been put back.
  const counts = (end: unknown) => typeof end === 'number' && end > now() && end <= now() + guardMs;
  return {
    /** @returns whether it may be loaded anew: then that counts as done */
    claim: (path: string): boolean => {
      const ends = endsIn(tab.read(name)).filter(([, end]) => counts(end));
      if (counts(history.state?.[marker]) || ends.some(([guarded]) => guarded === path)) return false;
      const end = now() + guardMs;
      tab.write(name, Object.fromEntries([...ends, [path, end]]));
      return mark(history, end);
    },
  };
}

const name = 'reloads';
const marker = 'keyturnLoadedAnewUntil';

const endsIn = (found: unknown): [string, unknown][] =>
  typeof found === 'object' && found !== null ? Object.entries(found) : [];

/** @returns whether it is there: without it nothing would end a loop */
function mark(history: Pick<History, 'state' | 'replaceState'>, end: number): boolean {
  try {
    // The router's own way listens in on the one of the instance.
    const { replaceState } = Object.getPrototypeOf(history) as History;
    replaceState.call(history, { ...history.state, [marker]: end }, '');
    return history.state?.[marker] === end;
  } catch {
    return false;
  }
}
