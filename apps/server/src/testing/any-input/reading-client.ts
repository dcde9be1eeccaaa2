import { setTimeout as pause } from 'node:timers/promises';

/** A client who reads their case while others send bad input. */
export interface ReadingClient {
  /** Reads until `work` has ended. @throws Error if an answer ever differs from the first one */
  readDuring(work: Promise<unknown>): Promise<void>;
}

const paths = ['/api/client', '/api/case-searches', '/api/milestones'];
/** Milliseconds between two rounds of reads. */
const interval = 100;

/** Creates a client who reads the same paths repeatedly. */
export async function createReadingClient(
  url: string,
  headers: Record<string, string>,
): Promise<ReadingClient> {
  const read = async (path: string) => {
    const response = await fetch(url + path, { headers });
    return `${response.status} ${await response.text()}`;
  };
  const first = new Map<string, string>();
  for (const path of paths) first.set(path, await read(path));
  return {
    readDuring: async (work) => {
      let isOver = false;
      const over = work.finally(() => {
        isOver = true;
      });
      over.catch(() => {});
      while (!isOver) {
        for (const path of paths) {
          const answer = await read(path);
          if (answer !== first.get(path)) throw new Error(`the client’s ${path} changed to ${answer}`);
        }
        await Promise.race([over.catch(() => {}), pause(interval)]);
      }
      await over;
    },
  };
}
