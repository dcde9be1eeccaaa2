import { setTimeout as pause } from 'node:timers/promises';

/** A client who reads their case while others send bad input. */
export interface ReadingClient {
  /** Reads until `work` has ended. @throws Error if an answer ever differs from the first one */
  readDuring(work: Promise<unknown>): Promise<void>;
}

const paths = ['/api/client', '/api/case-searches', '/api/milestones'];
/** Each admin who sends input may change these for all cases. */
const daysClosed = /"closed_on":\[[^\]]*\]/;
/** Milliseconds between two rounds of reads. */
const interval = 100;

/** Creates a client who reads the same paths repeatedly. */
export async function createReadingClient(
  url: string,
  headers: Record<string, string>,
): Promise<ReadingClient> {
  const read = async (path: string) => {
    const response = await fetch(url + path, { headers });
    const answer = `${response.status} ${await response.text()}`;
    return answer.replace(daysClosed, '');
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
          const before = first.get(path) ?? '';
          if (answer !== before) throw new Error(`the client’s ${path} ${describeChange(before, answer)}`);
        }
        await Promise.race([over.catch(() => {}), pause(interval)]);
      }
      await over;
    },
  };
}

/** Describes the first difference of two answers. */
function describeChange(before: string, after: string): string {
  let start = 0;
  while (start < before.length && before[start] === after[start]) start += 1;
  const excerpt = (answer: string) => answer.slice(Math.max(0, start - 200), start + 500);
  return `changed from\n${excerpt(before)}\nto\n${excerpt(after)}`;
}
