import { randomBytes } from 'node:crypto';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Writes a file as {@link writeIntoFolder} does, and creates its folder. */
export async function writeWholeFile(path: string, content: Buffer): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await writeIntoFolder(path, content);
}

/** Writes a file durably, completely or not at all. It replaces a file with the same path. */
export async function writeIntoFolder(path: string, content: Buffer): Promise<void> {
  const partial = `${path}.${randomBytes(6).toString('hex')}`;
  try {
    const file = await open(partial, 'wx', 0o600);
    try {
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(partial, path);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
}
