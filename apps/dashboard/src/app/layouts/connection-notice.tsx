import { formatTime } from '@keyturn/format/london-time';
import { VisuallyHidden } from '@keyturn/ui/content/visually-hidden.tsx';
import { type QueryCache, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useState, useSyncExternalStore } from 'react';
import { useLive } from '../../api/queries/use-live.ts';
import { useOnlineSince } from '../../api/queries/use-online-since.ts';
import { useServices } from '../../api/services/services.ts';
import styles from './connection-notice.module.css';

/** Warns while data on the screen may be out of date, and mentions less prominently that live updates are paused. */
export function ConnectionNotice() {
  const onlineSince = useOnlineSince();
  const isOutOfDate = useCache((cache) => isAnyOutOfDate(cache, onlineSince));
  const isPaused = useIsPaused() && !isOutOfDate;
  return (
    <div className={styles.place}>
      <div role="status">
        {isOutOfDate && <p className={styles.notice}>This page may be out of date. Trying to refresh it.</p>}
        {/* The time below changes with each refresh and must not be announced again. */}
        {isPaused && <VisuallyHidden>Live updates are paused.</VisuallyHidden>}
      </div>
      {isPaused && <PausedNotice />}
    </div>
  );
}

function PausedNotice() {
  const fetchedAt = useCache(oldestFetch);
  return (
    <p className={styles.paused}>
      <span aria-hidden="true">Live updates are paused. </span>
      {fetchedAt > 0 && `Showing information from ${formatTime(new Date(fetchedAt).toISOString())}. `}
      Checking every 15 seconds.
    </p>
  );
}

/** Whether the real-time channel has been down for long enough to mention it. */
function useIsPaused(): boolean {
  const { config } = useServices();
  const since = useLive(({ status, since }) => (status === 'waiting' ? since : null));
  const [pausedSince, setPausedSince] = useState<number | null>(null);
  const toleranceMs = (config.realtime?.unavailable_timeout ?? 10) * 1_000;
  useEffect(() => {
    if (since === null) return;
    const timer = setTimeout(() => setPausedSince(since), toleranceMs);
    return () => clearTimeout(timer);
  }, [since, toleranceMs]);
  return since !== null && since === pausedSince;
}

function useCache<T extends boolean | number>(select: (cache: QueryCache) => T): T {
  const cache = useQueryClient().getQueryCache();
  const subscribe = useCallback((listener: () => void) => cache.subscribe(listener), [cache]);
  const snapshot = () => select(cache);
  return useSyncExternalStore(subscribe, snapshot, snapshot);
}

/** Whether any visible data failed to refresh, or was not refreshed since the browser came online. */
const isAnyOutOfDate = (cache: QueryCache, onlineSince: number): boolean =>
  cache
    .getAll()
    .filter((query) => query.isActive() && query.state.data !== undefined)
    .some(
      ({ state: { error, dataUpdatedAt }, observers }) =>
        error !== null ||
        (dataUpdatedAt < onlineSince && observers.some(({ options }) => options.refetchOnReconnect)),
    );

/** When the oldest polled data was fetched, in milliseconds rounded down to the minute; 0 when there is none. */
function oldestFetch(cache: QueryCache): number {
  const fetchTimes = cache
    .getAll()
    .filter((query) => query.observers.some(({ options }) => options.refetchInterval))
    .map((query) => query.state.dataUpdatedAt)
    .filter((time) => time > 0);
  return fetchTimes.length === 0 ? 0 : Math.floor(Math.min(...fetchTimes) / 60_000) * 60_000;
}
