import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import { DomainError } from '../../platform/domain-error.ts';
import {
  type BuildFile,
  deleteExpiredFiles,
  insertFiles,
  listPaths,
  readFileContent,
  renewFiles,
} from './build-files-store.ts';

/** The files of all builds that servers serve, or have served in the last day, in the database. */
export interface PublishedFiles {
  /** Publishes the files of this server's builds, or renews them, and deletes those that no server has served for a day. */
  publish(): Promise<void>;
  /**
   * Finds a file of another build. However many paths are unknown, the database is asked about four times a second.
   * @param path as browsers ask for it
   * @throws DomainError `unavailable` while too many requests wait for the answer
   */
  find(path: string): Promise<Content | null>;
}

export interface PublishedFilesOptions {
  database: Database;
  clock: Clock;
  /** The folders of this server's builds, and the prefix of their paths, such as `/desk`. */
  builds: readonly { directory: string; prefix: string }[];
  /** Requests that wait at the same time to find out whether a file exists. */
  maxWaiting?: number;
}

type Content = Omit<BuildFile, 'path'>;

/** Milliseconds: one day, plus the hour between two renewals. */
const keptFor = 25 * 3_600_000;
/** Milliseconds between two lists of the published files. */
const listInterval = 250;
/** Bytes of files that a server keeps in memory: several builds. */
const maxCached = 16 * 1024 * 1024;
/** Bytes of files that one statement publishes. */
const batchSize = 512 * 1024;

export function createPublishedFiles(options: PublishedFilesOptions): PublishedFiles {
  const { database, clock, builds, maxWaiting = 1_000 } = options;
  let own: Map<string, string> | undefined;
  let known = new Set<string>();
  let waiting = 0;
  const list = atIntervals(listInterval, () => listPaths(database));
  const contents = createCache((path) => readFileContent(database, path));

  const isPublished = async (path: string) => {
    if (known.has(path)) return true;
    if (waiting >= maxWaiting) throw new DomainError('unavailable', { retryAfter: 1 });
    waiting += 1;
    try {
      known = await list();
    } finally {
      waiting -= 1;
    }
    return known.has(path);
  };
  return {
    publish: async () => {
      own ??= await findFiles(builds);
      const paths = [...own.keys()].sort();
      const published = await renewFiles(database, paths, clock());
      const missing = paths.filter((path) => !published.has(path));
      for await (const files of readInBatches(missing, own)) await insertFiles(database, files, clock());
      await deleteExpiredFiles(database, new Date(clock().getTime() - keptFor));
    },
    find: async (path) => {
      if (path.length > 300 || !publishedPath.test(path) || !(await isPublished(path))) return null;
      const file = await contents(path);
      if (!file) known.delete(path);
      return file;
    },
  };
}

/** The folders whose files have names that change with their content. */
const folders = ['assets', join('builds', 'meta')];
/** Names with ordinary characters that do not start with a dot. */
const publishedPath = /^(\/\w+)?\/(assets|builds\/meta)(\/[\w-][\w.-]*)+$/;

/** Returns the name on the disk of each file, by its path. */
async function findFiles(builds: PublishedFilesOptions['builds']): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const { directory, prefix } of builds) {
    for (const folder of folders) {
      const options = { recursive: true, withFileTypes: true } as const;
      for (const entry of await readdir(join(directory, folder), options).catch(() => [])) {
        const file = join(entry.parentPath, entry.name);
        const path = `${prefix}/${relative(directory, file).split(sep).join('/')}`;
        // A compressed version is published instead of its file.
        if (entry.isFile() && publishedPath.test(path) && !/\.(br|gz)$/.test(path)) found.set(path, file);
      }
    }
  }
  return found;
}

async function* readInBatches(paths: readonly string[], own: ReadonlyMap<string, string>) {
  let files: BuildFile[] = [];
  let bytes = 0;
  for (const path of paths) {
    const version = await readVersion(own.get(path) ?? '');
    files.push({ path, ...version });
    bytes += version.content.length;
    if (bytes < batchSize) continue;
    yield files;
    files = [];
    bytes = 0;
  }
  if (files.length > 0) yield files;
}

/** Reads the compressed version of a file, if the build has one. */
async function readVersion(file: string): Promise<Content> {
  const compressed = await readFile(`${file}.br`).catch(() => null);
  return { content: compressed ?? (await readFile(file)), isCompressed: compressed !== null };
}

/** Calls `read` at most once in an interval. Each caller gets a result that was read after its call. */
function atIntervals<Result>(interval: number, read: () => Promise<Result>): () => Promise<Result> {
  let next: Promise<Result> | null = null;
  let last: Promise<unknown> = Promise.resolve();
  return () => {
    next ??= last.then(() => {
      next = null;
      const result = read();
      last = Promise.allSettled([result, pause(interval, undefined, { ref: false })]);
      return result;
    });
    return next;
  };
}

/** Keeps what was read last, up to `maxCached` bytes. Concurrent callers share one read. */
function createCache(read: (path: string) => Promise<Content | null>) {
  const cached = new Map<string, Content>();
  const reading = new Map<string, Promise<Content | null>>();
  let bytes = 0;
  const readOnce = async (path: string) => {
    const file = await read(path).finally(() => reading.delete(path));
    if (!file) return null;
    cached.set(path, file);
    bytes += file.content.length;
    for (const [oldest, { content }] of cached) {
      if (bytes <= maxCached) break;
      cached.delete(oldest);
      bytes -= content.length;
    }
    return file;
  };
  return async (path: string): Promise<Content | null> => {
    const known = cached.get(path);
    if (known) return known;
    const pending = reading.get(path) ?? readOnce(path);
    reading.set(path, pending);
    return pending;
  };
}
