import { readdir, readFile } from 'node:fs/promises';
import { getHeapStatistics } from 'node:v8';

/** What this process has nearly used up, each with a sentence for an operator. */
export interface Shortages {
  files?: string;
  memory?: string;
}

/** The share of a limit from which on a process counts as short of it. */
const nearlyAll = 0.9;
/** Milliseconds. Anyone may ask for `/readyz`, and counting files takes time in proportion to their number. */
const keptFor = 1_000;

/**
 * Creates a function that finds what this process is short of: files and connections, which share one limit, and memory.
 * Another server may have enough, so that a load balancer ought to choose that one.
 * @param read what the process uses and may use
 */
export function watchShortages(read: () => Promise<Usage> = readUsage): () => Promise<Shortages> {
  let found: Promise<Shortages> = Promise.resolve({});
  let foundAt = Number.NEGATIVE_INFINITY;
  return () => {
    if (performance.now() - foundAt >= keptFor) {
      foundAt = performance.now();
      found = read().then(describeShortages);
    }
    return found;
  };
}

export interface Usage {
  /** Null where the system does not tell. */
  files: { used: number; limit: number } | null;
  /** Bytes. */
  memory: readonly { used: number; limit: number }[];
}

function describeShortages({ files, memory }: Usage): Shortages {
  return {
    ...(files && files.used >= files.limit * nearlyAll
      ? { files: 'nearly all files and connections that this process may open are open' }
      : {}),
    ...(memory.some(({ used, limit }) => used >= limit * nearlyAll)
      ? { memory: 'nearly all memory that this process may use is in use' }
      : {}),
  };
}

async function readUsage(): Promise<Usage> {
  const { used_heap_size, heap_size_limit } = getHeapStatistics();
  const constrained = process.constrainedMemory();
  return {
    files: await countFiles(),
    memory: [
      { used: used_heap_size, limit: heap_size_limit },
      // 0 or a number beyond any machine: the system sets no limit.
      ...(constrained > 0 ? [{ used: process.memoryUsage.rss(), limit: constrained }] : []),
    ],
  };
}

async function countFiles(): Promise<Usage['files']> {
  if (process.platform !== 'linux') return null;
  try {
    const limits = await readFile('/proc/self/limits', 'utf8');
    const limit = Number(/^Max open files +(\d+)/m.exec(limits)?.[1]);
    return Number.isNaN(limit) ? null : { used: (await readdir('/proc/self/fd')).length, limit };
  } catch (error) {
    // Not even the files that tell the number can be opened.
    return (error as NodeJS.ErrnoException).code === 'EMFILE' ? { used: 1, limit: 1 } : null;
  }
}
