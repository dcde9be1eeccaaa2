import type { Build } from './build-manifest.ts';

/** How long an earlier build must be seen before it counts as a rollback, in milliseconds. */
export const confirmAfterMs = 30_000;

/**
 * Decides from the builds that servers report whether this page's build has been replaced. During a rolling deployment
 * old and new servers answer in turn: a later build counts at once; an earlier one (a rollback) only when it is seen
 * again without our own build in between.
 */
export function createBuildSightings(own: Build) {
  let earlier: { id: string; at: number } | null = null;
  return {
    /** @returns `unconfirmed` for an earlier build that has to be seen again */
    record: (build: Build, now: number): 'same' | 'unconfirmed' | 'newer' => {
      if (build.id === own.id) {
        earlier = null;
        return 'same';
      }
      if (build.timestamp > own.timestamp) return 'newer';
      // After the clock was set back, waiting starts again.
      if (earlier?.id !== build.id || earlier.at > now) earlier = { id: build.id, at: now };
      return now - earlier.at >= confirmAfterMs ? 'newer' : 'unconfirmed';
    },
  };
}
