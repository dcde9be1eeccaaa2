import type { QueryKey } from './queries-for-event.ts';

/** Milliseconds from the first event of a round to its reading. */
const gatherFor = 150;

/** Many events in a moment become one round of reading, each query once. */
export function batchRefetches(read: (keys: QueryKey[]) => void): {
  add(keys: QueryKey[]): void;
  stop(): void;
} {
  const gathered = new Map<string, QueryKey>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  return {
    add: (keys) => {
      for (const key of keys) gathered.set(JSON.stringify(key), key);
      timer ??= setTimeout(() => {
        timer = undefined;
        const round = [...gathered.values()];
        gathered.clear();
        read(round);
      }, gatherFor);
    },
    stop: () => {
      clearTimeout(timer);
      timer = undefined;
      gathered.clear();
    },
  };
}
