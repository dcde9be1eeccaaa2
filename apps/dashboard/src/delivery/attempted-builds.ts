import type { Services } from '../api/services/services.ts';
import type { Build } from './build-manifest.ts';

/** How long a build is not tried again after a reload for it brought the old build back, in milliseconds. */
const retryAfterMs = 10 * 60_000;

/** Whether the tab was reloaded for this build within the last ten minutes. */
export function wasAttempted(tab: Services['tab'], { id }: Build): boolean {
  const attempt = (tab.read(storageKey) ?? {}) as { id?: unknown; at?: unknown };
  const sinceMs = Date.now() - Number(attempt.at);
  return attempt.id === id && sinceMs >= 0 && sinceMs < retryAfterMs;
}

/** Records that the tab is about to be reloaded for this build. */
export const recordAttempt = (tab: Services['tab'], { id }: Build) =>
  tab.write(storageKey, { id, at: Date.now() });

const storageKey = 'tried-build';
