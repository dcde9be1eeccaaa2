/** Takes paths whose screens are about to be needed. */
export interface PrefetchQueue {
  add(path: string): void;
}

export interface PrefetchQueueOptions {
  /** Loads whatever a path needs. Its failures are nobody's concern: the client is not there yet. */
  load(path: string): Promise<unknown>;
  /** Whether the connection is one to load things over that may not be needed. */
  isAllowed(): boolean;
}

/** Loads each path once, and no more than five of them at a time, in their order. */
export function createPrefetchQueue({ load, isAllowed }: PrefetchQueueOptions): PrefetchQueue {
  const seen = new Set<string>();
  const waiting: string[] = [];
  let underWay = 0;
  const next = () => {
    while (underWay < maxConcurrent && waiting.length > 0) {
      const path = waiting.shift() ?? '';
      underWay += 1;
      void Promise.resolve()
        .then(() => load(path))
        .catch(() => undefined)
        .then(() => {
          underWay -= 1;
          next();
        });
    }
  };
  return {
    add: (path) => {
      if (seen.has(path) || !isAllowed()) return;
      seen.add(path);
      waiting.push(path);
      next();
    },
  };
}

const maxConcurrent = 5;

/** Not where the client saves data, nor on the second generation of mobile networks. */
export function allowsPrefetch(navigator: object): boolean {
  const { connection } = navigator as { connection?: { saveData?: boolean; effectiveType?: string } };
  return !connection?.saveData && !/2g$/.test(connection?.effectiveType ?? '');
}
