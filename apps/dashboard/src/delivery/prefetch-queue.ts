/** Paths whose screens the client may open next. */
export interface PrefetchQueue {
  add(path: string): void;
}

export interface PrefetchQueueOptions {
  /** Loads the code and data of a path. Failures are ignored: the navigation itself will report them. */
  load(path: string): Promise<unknown>;
  /** Whether the connection is good enough for prefetching. */
  isAllowed(): boolean;
}

/** Creates a queue that loads each path once, in order, and at most five at a time. */
export function createPrefetchQueue({ load, isAllowed }: PrefetchQueueOptions): PrefetchQueue {
  const seen = new Set<string>();
  const queued: string[] = [];
  let loading = 0;
  const loadNext = () => {
    while (loading < maxConcurrent && queued.length > 0) {
      const path = queued.shift() ?? '';
      loading += 1;
      void Promise.resolve()
        .then(() => load(path))
        .catch(() => undefined)
        .then(() => {
          loading -= 1;
          loadNext();
        });
    }
  };
  return {
    add: (path) => {
      if (seen.has(path) || !isAllowed()) return;
      seen.add(path);
      queued.push(path);
      loadNext();
    },
  };
}

const maxConcurrent = 5;

/** Whether to prefetch: not when the browser is set to save data, and not on a 2G connection. */
export function allowsPrefetch(navigator: object): boolean {
  const { connection } = navigator as { connection?: { saveData?: boolean; effectiveType?: string } };
  return !connection?.saveData && !/2g$/.test(connection?.effectiveType ?? '');
}
