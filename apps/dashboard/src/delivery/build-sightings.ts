import type { Build } from './build-manifest.ts';

/** Milliseconds between two sightings of an older build before it counts: a deployment was taken back. */
export const confirmAfterMs = 30_000;

/**
 * Tells from what servers say whether another build is there to stay. While a deployment is under way old and new servers
 * answer in turn: a later build counts at once, an earlier one when it is seen again and ours is not.
 */
export function createBuildSightings(own: Build) {
  let seen: { id: string; at: number } | null = null;
  return {
    /** @returns `perhaps`: worth another look */
    record: (build: Build, now: number): 'same' | 'perhaps' | 'newer' => {
      if (build.id === own.id) {
        seen = null;
        return 'same';
      }
      if (build.timestamp > own.timestamp) return 'newer';
      // A clock that was set back makes it a first sighting.
      if (seen?.id !== build.id || seen.at > now) seen = { id: build.id, at: now };
      return now - seen.at >= confirmAfterMs ? 'newer' : 'perhaps';
    },
  };
}
