import { randomUUID } from 'node:crypto';
import { copyFile, link, mkdir, readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/**
 * Keeps the files of builds served in the last day in a folder, for servers of 0.2.0 that share it: they do not know the
 * published files of `live/builds`. The release after this one removes it.
 */
export interface KeptBuilds {
  /** Copies the current build, and deletes builds that no server has served for a day. */
  keep(): Promise<void>;
  /** @returns the folder that contains `path`, such as `assets/start-x1.js`; null if there is none */
  find(path: string): Promise<string | null>;
}

export interface KeepBuildsOptions {
  /** Where builds are kept; created if it does not exist. */
  folder: string;
  /** The current build. */
  directory: string;
  /** The id of the current build. */
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
      // Records when a server last served the build; each server does so every hour.
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

/** Reads the id of a build; null if the folder contains no build. */
export async function idOfBuild(directory: string): Promise<string | null> {
  try {
    const { id } = JSON.parse(await readFile(join(directory, 'builds', 'latest.json'), 'utf8'));
    return buildId.test(id) ? id : null;
  } catch {
    return null;
  }
}

/** Milliseconds: one day, plus the hour between two records. */
const keptFor = 25 * 3_600_000;

const buildId = /^[0-9a-z]{8,64}$/;

/** Names with ordinary characters that do not start with a dot. */
const plainPath = /^(assets|builds\/meta)(\/[\w-][\w.-]*)+$/;

const exists = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  );

/** Copies atomically, even if two servers do it at once. Uses hard links if the disk supports them. */
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
