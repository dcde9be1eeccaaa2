import { setTimeout as pause } from 'node:timers/promises';

/** A client who reads their case while others send bad input. */
export interface ReadingClient {
  /** Reads until `work` has ended. @returns its result, and the milliseconds of each read */
  readDuring<Result>(work: Promise<Result>): Promise<{ result: Result; times: number[] }>;
}

const paths = ['/api/client', '/api/case-searches', '/api/milestones'];

/**
 * Creates a client who reads the same paths repeatedly.
 * @param every milliseconds between two rounds of reads
 * @throws Error if an answer ever differs from the first one
 */
export async function createReadingClient(
  url: string,
  headers: Record<string, string>,
  every: number,
): Promise<ReadingClient> {
  const read = async (path: string) => {
    const response = await fetch(url + path, { headers });
    return `${response.status} ${await response.text()}`;
  };
  const first = new Map<string, string>();
  for (const path of paths) first.set(path, await read(path));
  return {
    readDuring: async (work) => {
      const times: number[] = [];
      let isOver = false;
      const over = work.finally(() => {
        isOver = true;
      });
      over.catch(() => {});
      while (!isOver) {
        for (const path of paths) {
          const startedAt = performance.now();
          const answer = await read(path);
          times.push(performance.now() - startedAt);
          if (answer !== first.get(path)) throw new Error(`the client’s ${path} changed to ${answer}`);
        }
        await Promise.race([over.catch(() => {}), pause(every)]);
      }
      return { result: await over, times };
    },
  };
}

/** @param share between 0 and 1 */
export function percentile(times: readonly number[], share: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
