import { type QueryCache, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useState, useSyncExternalStore } from 'react';
import { useLive } from '../../api/queries/use-live.ts';
import { useOnlineSince } from '../../api/queries/use-online-since.ts';
import { useServices } from '../../api/services/services.ts';
import { VisuallyHidden } from '../../ui/content/visually-hidden.tsx';
import { formatTime } from '../../ui/format/format-date.ts';
import styles from './connection-notice.module.css';

/** Says so while something on the screen could not be refreshed, or the network is away, and more quietly while it is not told of changes. */
export function ConnectionNotice() {
  const onlineSince = useOnlineSince();
  const isOutOfDate = useCache((cache) => isAnyOutOfDate(cache, onlineSince));
  const isPaused = useIsPaused() && !isOutOfDate;
  return (
    <div className={styles.place}>
      <div role="status">
        {isOutOfDate && <p className={styles.notice}>What you see may be out of date. Trying again.</p>}
        {/* The moment below changes with each reading: that is not to be read out. */}
        {isPaused && <VisuallyHidden>Live updates are paused.</VisuallyHidden>}
      </div>
      {isPaused && <Paused />}
    </div>
  );
}

function Paused() {
  const readAt = useCache(oldestReading);
  return (
    <p className={styles.paused}>
      <span aria-hidden="true">Live updates are paused. </span>
      {readAt > 0 && `What you see is from ${formatTime(new Date(readAt).toISOString())}. `}
      We ask again every 15 seconds.
    </p>
  );
}

/** The real-time channel has been away for so long that it deserves a word. */
function useIsPaused(): boolean {
  const { config } = useServices();
  const since = useLive(({ status, since }) => (status === 'waiting' ? since : null));
  const [pausedSince, setPausedSince] = useState<number | null>(null);
  const patience = (config.realtime?.unavailable_timeout ?? 10) * 1_000;
  useEffect(() => {
    if (since === null) return;
    const timer = setTimeout(() => setPausedSince(since), patience);
    return () => clearTimeout(timer);
  }, [since, patience]);
  return since !== null && since === pausedSince;
}

function useCache<T extends boolean | number>(look: (cache: QueryCache) => T): T {
  const cache = useQueryClient().getQueryCache();
  const subscribe = useCallback((listener: () => void) => cache.subscribe(listener), [cache]);
  const seen = () => look(cache);
  return useSyncExternalStore(subscribe, seen, seen);
}

/** Something is shown whose last reading failed, or that was not read again since the browser is online. */
const isAnyOutOfDate = (cache: QueryCache, onlineSince: number): boolean =>
  cache
    .getAll()
    .filter((query) => query.isActive() && query.state.data !== undefined)
    .some(
      ({ state: { error, dataUpdatedAt }, observers }) =>
        error !== null ||
        (dataUpdatedAt < onlineSince && observers.some(({ options }) => options.refetchOnReconnect)),
    );

/** Of what is shown and asked for again and again: milliseconds, to the minute; 0 where nothing has been read. */
function oldestReading(cache: QueryCache): number {
  const moments = cache
    .getAll()
    .filter((query) => query.observers.some(({ options }) => options.refetchInterval))
    .map((query) => query.state.dataUpdatedAt)
    .filter((at) => at > 0);
  return moments.length === 0 ? 0 : Math.floor(Math.min(...moments) / 60_000) * 60_000;
}
