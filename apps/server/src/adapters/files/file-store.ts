import { createHash } from 'node:crypto';
import { constants, createReadStream } from 'node:fs';
import { lstat, open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { sha256Of } from '../../platform/files/sha256-of.ts';
import { type FileStore, parseStoreId, storeIdFile } from '../../platform/stored-file.ts';
import { type Measure, type RememberedMeasures, rememberMeasures } from './remember-measures.ts';
import { writeWholeFile } from './write-whole-file.ts';

/** Stores files in one folder under the SHA-256 of their content: `ab/cdef…`. Stored files never change. */
export function createFileStore(folder: string): FileStore {
  const pathOf = (sha256: string) => {
    if (!/^[0-9a-f]{64}$/.test(sha256)) throw new Error('not a SHA-256');
    return join(folder, sha256.slice(0, 2), sha256.slice(2));
  };
  const measures = rememberMeasures();
  return {
    put: async (content) => {
      const sha256 = await sha256Of(content);
      const path = pathOf(sha256);
      const stored = await nullIfUnreadable(measureUpTo(path, content.length + 1));
      if (stored?.sha256 === sha256) return sha256;
      await writeWholeFile(path, content);
      return sha256;
    },
    has: async (sha256) => {
      const found = await lstat(pathOf(sha256)).catch(() => undefined);
      return found?.isFile() === true;
    },
    open: (sha256, range) => createReadStream(pathOf(sha256), range),
    read: async (sha256, maxBytes) => nullIfUnreadable(readUpTo(pathOf(sha256), maxBytes)),
    measure: async (sha256, maxBytes) =>
      nullIfUnreadable(measureUnlessSame(measures, pathOf(sha256), maxBytes)),
    remove: (sha256) => rm(pathOf(sha256), { force: true }),
    list: () => listFiles(folder),
    readId: async () => parseStoreId(await nullIfUnreadable(readUpTo(join(folder, storeIdFile), 100))),
    writeId: (id) => writeWholeFile(join(folder, storeIdFile), Buffer.from(`${id}\n`)),
  };
}

async function* listFiles(folder: string): AsyncIterable<string> {
  for (const start of await listFolder(folder)) {
    for (const rest of await listFolder(join(folder, start))) {
      // Others are files that are being written.
      if (/^[0-9a-f]{64}$/.test(start + rest)) yield start + rest;
    }
  }
}

const listFolder = async (path: string): Promise<string[]> => (await nullIfUnreadable(readdir(path))) ?? [];

async function nullIfUnreadable<Result>(reading: Promise<Result>): Promise<Result | null> {
  try {
    return await reading;
  } catch (error) {
    if (unreadableCodes.includes((error as NodeJS.ErrnoException).code ?? '')) return null;
    throw error;
  }
}

/** The file is missing, is not a file, or the disk cannot read it. `ELOOP` is a symbolic link. */
const unreadableCodes = ['ENOENT', 'ENOTDIR', 'EISDIR', 'EIO', 'ELOOP'];

/** A symbolic link in the folder could lead out of it. Windows has no such flag. */
const reading = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0);

async function readUpTo(path: string, maxBytes: number): Promise<Buffer> {
  const file = await open(path, reading);
  try {
    const { size } = await file.stat();
    const content = Buffer.alloc(Math.min(size, maxBytes));
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

async function measureUnlessSame(measures: RememberedMeasures, path: string, maxBytes: number) {
  const stat = await lstat(path, { bigint: true });
  const state = [stat.ino, stat.size, stat.mtimeNs, stat.ctimeNs, maxBytes].join(' ');
  return measures.find(path, state) ?? measures.add(path, state, await measureUpTo(path, maxBytes));
}

async function measureUpTo(path: string, maxBytes: number): Promise<Measure> {
  const hash = createHash('sha256');
  let size = 0;
  const file = await open(path, reading);
  for await (const chunk of file.createReadStream({ end: maxBytes - 1 })) {
    hash.update(chunk);
    size += chunk.length;
  }
  return { size, sha256: hash.digest('hex') };
}
