import { randomUUID } from 'node:crypto';
import { copyFile, link, mkdir, readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/**
 * The files of builds that were served here in the last day: a tab that was opened before a deployment, or was given
 * its page by another server of a rolling one, finds what it asks for. Servers that share the folder serve each other's.
 */
export interface KeptBuilds {
  /** Keeps the build that is served now, and lets go of those that nobody has served for a day. */
  keep(): Promise<void>;
  /** @returns the folder in which `path` is to be found, such as `assets/start-x1.js` */
  find(path: string): Promise<string | null>;
}

export interface KeepBuildsOptions {
  /** Where they are kept; made where there is none. */
  folder: string;
  /** The build that is served. */
  directory: string;
  /** Its id. */
  build: string;
  /** Milliseconds since 1970. */
  now?: () => number;
}

export function keepBuilds({ folder, directory, build, now = Date.now }: KeepBuildsOptions): KeptBuilds {
  const own = join(folder, build);
  return {
    keep: async () => {
      await mkdir(folder, { recursive: true });
      if (!(await exists(own))) await copyBuild(directory, own);
      // When a server last had it: each says so of its own every hour.
      const seconds = now() / 1_000;
      await utimes(own, seconds, seconds);
      for (const name of await readdir(folder)) {
        const kept = join(folder, name);
        const since = await stat(kept).then(
          ({ mtimeMs }) => now() - mtimeMs,
          () => 0,
        );
        if (since > keptFor) await rm(kept, { recursive: true, force: true });
      }
    },
    find: async (path) => {
      if (!plainPath.test(path)) return null;
      for (const name of await readdir(folder).catch(() => [])) {
        if (buildId.test(name) && (await exists(join(folder, name, path)))) return join(folder, name);
      }
      return null;
    },
  };
}

/** The id that a build gave itself; null for a folder without one. */
export async function idOfBuild(directory: string): Promise<string | null> {
  try {
    const { id } = JSON.parse(await readFile(join(directory, 'builds', 'latest.json'), 'utf8'));
    return buildId.test(id) ? id : null;
  } catch {
    return null;
  }
}

/** Milliseconds: a day, and the hour between two servers' words. */
const keptFor = 25 * 3_600_000;

const buildId = /^[0-9a-z]{8,64}$/;

/** Names with ordinary characters, none of which begins with a dot. */
const plainPath = /^(assets|builds\/meta)(\/[\w-][\w.-]*)+$/;

const exists = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  );

/** Whole or not at all, also where two servers do it at once. Names of the same file where the disk can. */
async function copyBuild(directory: string, to: string): Promise<void> {
  const unfinished = `${to}.${randomUUID()}`;
  for (const part of ['assets', join('builds', 'meta')]) {
    const names = await readdir(join(directory, part), { recursive: true, withFileTypes: true });
    for (const entry of names) {
      if (!entry.isFile()) continue;
      const from = join(entry.parentPath, entry.name);
      const target = join(unfinished, from.slice(directory.length));
      await mkdir(dirname(target), { recursive: true });
      await link(from, target).catch(() => copyFile(from, target));
    }
  }
  await rename(unfinished, to).catch(async (error: unknown) => {
    await rm(unfinished, { recursive: true, force: true });
    if (!(await exists(to))) throw error;
  });
}
