import { createHash, randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { FileStore } from '../../features/feed/ports.ts';

/** Files by the SHA-256 of their content, below one folder: `ab/cdef…`. What is stored is never changed. */
export function createFileStore(folder: string): FileStore {
  const placeOf = (sha256: string) => {
    if (!/^[0-9a-f]{64}$/.test(sha256)) throw new Error('not a SHA-256');
    return join(folder, sha256.slice(0, 2), sha256.slice(2));
  };
  return {
    put: async (content) => {
      const sha256 = createHash('sha256').update(content).digest('hex');
      const place = placeOf(sha256);
      if (await hasSize(place, content.length)) return sha256;
      await mkdir(dirname(place), { recursive: true, mode: 0o700 });
      const partial = `${place}.${randomBytes(6).toString('hex')}`;
      try {
        const file = await open(partial, 'wx', 0o600);
        try {
          await file.writeFile(content);
          await file.sync();
        } finally {
          await file.close();
        }
        await rename(partial, place);
      } catch (error) {
        await rm(partial, { force: true });
        throw error;
      }
      return sha256;
    },
    has: (sha256) => hasSize(placeOf(sha256)),
    open: (sha256) => createReadStream(placeOf(sha256)),
  };
}

async function hasSize(place: string, size?: number): Promise<boolean> {
  const found = await stat(place).catch(() => undefined);
  return found?.isFile() === true && (size === undefined || found.size === size);
}
