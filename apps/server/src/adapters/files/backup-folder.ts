import { randomBytes } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { access, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { BackupFault, type BackupFolder, type Bytes } from '../../records/backup/ports.ts';

const manifest = 'manifest.json';

/**
 * Keeps backups in a folder, each in a separate one, and the documents of all in `documents`. Nothing is ever
 * overwritten.
 */
export function createBackupFolder(folder: string): BackupFolder {
  const placeOf = (name: string) => join(folder, 'documents', name.slice(0, 2), name.slice(2));
  return {
    start: async (name) => {
      const final = join(folder, name);
      const draft = `${final}.incomplete`;
      await mkdir(folder, { recursive: true, mode: 0o700 });
      if (await exists(final)) throw new BackupFault(`${final} exists, and backups are never overwritten.`);
      await mkdir(draft, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') throw error;
        throw new BackupFault(`${draft} exists: another backup is running. Run this again.`);
      });
      return {
        write: (file, content) => writeDurably(join(draft, file), content),
        finish: async (text) => {
          await writeDurably(join(draft, manifest), [Buffer.from(text)]);
          await rename(draft, final);
          await syncFolder(folder);
          return final;
        },
        discard: () => rm(draft, { recursive: true, force: true }),
      };
    },
    sizeOfDocument: async (name) => {
      const found = await stat(placeOf(name)).catch(() => undefined);
      return found?.isFile() ? found.size : null;
    },
    putDocument: async (name, content) => {
      const place = placeOf(name);
      const partial = `${place}.${randomBytes(6).toString('hex')}.incomplete`;
      try {
        await writeDurably(partial, content);
        await rename(partial, place);
        await syncFolder(dirname(place));
      } catch (error) {
        await rm(partial, { force: true });
        throw error;
      }
    },
    openDocument: (name) => createReadStream(placeOf(name)),
    list: async () => {
      const entries = await readdir(folder, { withFileTypes: true });
      return entries
        .filter((entry) => entry.isDirectory() && entry.name !== 'documents')
        .map(({ name }) => name)
        .sort();
    },
    readManifest: async (backup) => {
      const path = join(folder, backup);
      try {
        return await readFile(join(path, manifest));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
        throw new BackupFault(
          (await exists(path))
            ? `${path} is incomplete: the backup was interrupted. Restore another one.`
            : `${path} does not exist: name the folder of one backup.`,
        );
      }
    },
    openFile: (backup, file) => createReadStream(join(folder, backup, file)),
  };
}

async function writeDurably(path: string, content: Bytes | Iterable<Uint8Array>): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await pipeline(content, createWriteStream(path, { flags: 'wx', mode: 0o600 }));
  const file = await open(path, 'r+');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Makes the new names in a folder survive a power failure. Windows opens no folders. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );
