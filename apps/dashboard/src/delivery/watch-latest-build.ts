import type { Build } from './build-manifest.ts';
import { confirmAfterMs, createBuildSightings } from './build-sightings.ts';
import { fetchLatestBuild } from './latest-build.ts';

export interface WatchLatestBuildOptions {
  ownBuild: Build;
  intervalMs: number;
  document: Document;
  /** Called after every check; null means that this page's build is still the one to use. */
  onCheck(newerBuild: Build | null): void;
}

/**
 * Checks for a newer build at the interval, give or take 10%, and as soon as a tab that was hidden for longer than that
 * becomes visible.
 * @returns a function that checks at once
 */
export function watchLatestBuild({
  ownBuild,
  intervalMs,
  document,
  onCheck,
}: WatchLatestBuildOptions): () => void {
  const sightings = createBuildSightings(ownBuild);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let checkedAt = Date.now();
  const schedule = (waitMs: number) => {
    clearTimeout(timer);
    // Open tabs must not all check at the same moment.
    timer = setTimeout(check, waitMs * (0.9 + Math.random() * 0.2));
  };
  const check = () => {
    checkedAt = Date.now();
    schedule(intervalMs);
    fetchLatestBuild().then(
      (build) => {
        const sighting = sightings.record(build, Date.now());
        onCheck(sighting === 'newer' ? build : null);
        if (sighting === 'unconfirmed') schedule(Math.min(intervalMs, confirmAfterMs * 1.2));
      },
      (error: unknown) =>
        console.warn('Could not read the latest build:', error instanceof Error ? error.message : error),
    );
  };
  document.addEventListener('visibilitychange', () => {
    const sinceMs = Date.now() - checkedAt;
    // A negative time means that the clock was set back, so nothing is known about the last check.
    if (document.visibilityState === 'visible' && (sinceMs > intervalMs || sinceMs < 0)) check();
  });
  schedule(intervalMs);
  return check;
}
