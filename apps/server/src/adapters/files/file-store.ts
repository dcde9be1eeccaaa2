import { createHash, randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { DocumentFiles } from '../../features/documents/ports.ts';
import type { FileStore } from '../../features/feed/ports.ts';

/** Files by the SHA-256 of their content, below one folder: `ab/cdef…`. What is stored is never changed. */
export function createFileStore(folder: string): FileStore & DocumentFiles {
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
    open: (sha256, range) => createReadStream(placeOf(sha256), range),
    read: async (sha256, atMost) => unlessLost(readUpTo(placeOf(sha256), atMost)),
    measure: async (sha256, atMost) => unlessLost(measureUpTo(placeOf(sha256), atMost)),
  };
}

async function unlessLost<Result>(reading: Promise<Result>): Promise<Result | null> {
  try {
    return await reading;
  } catch (error) {
    if (lost.includes((error as NodeJS.ErrnoException).code ?? '')) return null;
    throw error;
  }
}

/** Not there, no file, or on a disk that cannot give it back. */
const lost = ['ENOENT', 'ENOTDIR', 'EISDIR', 'EIO'];

async function readUpTo(place: string, atMost: number): Promise<Buffer> {
  const file = await open(place, 'r');
  try {
    const { size } = await file.stat();
    const content = Buffer.alloc(Math.min(size, atMost));
    let length = 0;
    while (length < content.length) {
      const { bytesRead } = await file.read(content, length, content.length - length);
      if (bytesRead === 0) break;
      length += bytesRead;
    }
    return content.subarray(0, length);
  } finally {
    await file.close();
  }
}

async function measureUpTo(place: string, atMost: number): Promise<{ size: number; sha256: string }> {
  const hash = createHash('sha256');
  let size = 0;
  for await (const chunk of createReadStream(place, { end: atMost - 1 })) {
    hash.update(chunk);
    size += chunk.length;
  }
  return { size, sha256: hash.digest('hex') };
}

async function hasSize(place: string, size?: number): Promise<boolean> {
  const found = await stat(place).catch(() => undefined);
  return found?.isFile() === true && (size === undefined || found.size === size);
}
