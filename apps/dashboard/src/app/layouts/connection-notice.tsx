import { type QueryCache, useQueryClient } from '@tanstack/react-query';
import { useCallback, useSyncExternalStore } from 'react';
import styles from './connection-notice.module.css';

/** Says so while something on the screen could not be refreshed. */
export function ConnectionNotice() {
  const outOfDate = useOutOfDate();
  return (
    <div className={styles.place} role="status">
      {outOfDate && <p className={styles.notice}>What you see may be out of date. Trying again.</p>}
    </div>
  );
}

function useOutOfDate(): boolean {
  const cache = useQueryClient().getQueryCache();
  const subscribe = useCallback((listener: () => void) => cache.subscribe(listener), [cache]);
  return useSyncExternalStore(subscribe, () => isOutOfDate(cache));
}

/** Something is shown whose last reading failed. */
const isOutOfDate = (cache: QueryCache) =>
  cache
    .getAll()
    .some((query) => query.isActive() && query.state.data !== undefined && query.state.error !== null);
