import type { QueryKey } from './queries-for-event.ts';

/** How long events are collected before their queries are refetched, in milliseconds. */
const batchWindowMs = 150;

export interface RefetchBatches {
  add(keys: QueryKey[]): void;
  /** Drops the open batch. */
  stop(): void;
}

/** Collects query keys, so that many events at once refetch each query only once. */
export function batchRefetches(refetch: (keys: QueryKey[]) => void): RefetchBatches {
  const batch = new Map<string, QueryKey>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  return {
    add: (keys) => {
      for (const key of keys) batch.set(JSON.stringify(key), key);
      timer ??= setTimeout(() => {
        timer = undefined;
        const keysToRefetch = [...batch.values()];
        batch.clear();
        refetch(keysToRefetch);
      }, batchWindowMs);
    },
    stop: () => {
      clearTimeout(timer);
      timer = undefined;
      batch.clear();
    },
  };
}
