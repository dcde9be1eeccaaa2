import { createHash, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { AlertOperator } from '../../platform/alert-operator.ts';
import type { Clock } from '../../platform/clock.ts';
import { sha256Of } from '../../platform/files/sha256-of.ts';
import { limitAlerts } from '../../platform/limit-alerts.ts';
import {
  type FileStore,
  FileStoreUnavailable,
  parseStoreId,
  reasonOf,
  storeIdFile,
} from '../../platform/stored-file.ts';
import { rememberMeasures } from './remember-measures.ts';
import { createS3Objects, type S3Location, type S3Timeouts } from './s3-objects.ts';

export interface S3StoreOptions extends S3Location {
  /** Text before each key, such as `documents/`. */
  prefix: string;
  alertOperator: AlertOperator;
  clock: Clock;
  timeouts?: S3Timeouts;
}

export interface S3Store extends FileStore {
  /**
   * Checks that the bucket exists and that the credentials may read from it.
   * @param options.writes whether they must also be able to store files
   * @returns problems that only matter to erasures
   * @throws FileStoreUnavailable
   */
  check(options: { writes: boolean }): Promise<string[]>;
  close(): void;
}

/**
 * Stores files in a bucket of Amazon S3 or of a compatible store under the SHA-256 of their content: `ab/cdef…`, as the
 * store of files in a folder does. A file counts as stored only once it has been read back and compared.
 */
export function createS3Store(options: S3StoreOptions): S3Store {
  const { bucket, prefix, timeouts = defaultTimeouts } = options;
  const alert = limitAlerts(options.alertOperator, options.clock);
  const fail = (reason: string, isRefused = false): never => {
    alert(reason, 'the document store has a problem', { reason: `it ${reason}` });
    throw new FileStoreUnavailable(`The document store ${reason}`, { isRefused });
  };
  const objects = createS3Objects(options, timeouts, fail);
  const { attempt } = objects;
  const keyOf = (sha256: string) => {
    if (!/^[0-9a-f]{64}$/.test(sha256)) throw new Error('not a SHA-256');
    return `${prefix}${sha256.slice(0, 2)}/${sha256.slice(2)}`;
  };
  /**
   * Reads a file up to this length.
   * @param start is called before each attempt, and returns what receives the chunks
   * @returns the length, and the ETag of what was read; null if the file does not exist
   */
  const readInto = (key: string, maxBytes: number, start: () => (chunk: Buffer) => void) =>
    attempt(async () => {
      const onChunk = start();
      let size = 0;
      const { chunks, etag } = await objects.get(key);
      for await (const chunk of chunks) {
        const part = chunk.subarray(0, maxBytes - size);
        onChunk(part);
        size += part.length;
        if (size === maxBytes) break;
      }
      return { size, etag };
    });
  const read = async (key: string, maxBytes: number) => {
    let chunks: Buffer[] = [];
    const found = await readInto(key, maxBytes, () => {
      chunks = [];
      return (chunk) => chunks.push(chunk);
    });
    return found && Buffer.concat(chunks);
  };
  const measures = rememberMeasures();
  const stateOf = (etag: string, maxBytes: number) => `${etag} ${maxBytes}`;
  const measureNow = async (sha256: string, maxBytes: number) => {
    let hash = createHash('sha256');
    const found = await readInto(keyOf(sha256), maxBytes, () => {
      hash = createHash('sha256');
      return (chunk) => hash.update(chunk);
    });
    if (!found) return null;
    const measure = { size: found.size, sha256: hash.digest('hex') };
    // Bytes that were altered on their way have the ETag of the intact object.
    const isVerified = measure.sha256 === sha256;
    return found.etag && isVerified ? measures.add(sha256, stateOf(found.etag, maxBytes), measure) : measure;
  };
  const measure = async (sha256: string, maxBytes: number) => {
    const found = measures.has(sha256) ? await attempt(() => objects.find(keyOf(sha256))) : null;
    const known = found?.etag ? measures.find(sha256, stateOf(found.etag, maxBytes)) : null;
    return known ?? measureNow(sha256, maxBytes);
  };
  /** Stores a small file that is not named after its content, and compares it. */
  const write = async (key: string, content: Buffer) => {
    await attempt(() => objects.put(key, content));
    const found = await read(key, content.length + 1);
    if (!found?.equals(content)) fail(`does not return the bytes that it was given: ${key} in ${bucket}`);
  };
  const holds = async (sha256: string, size: number) =>
    (await measureNow(sha256, size + 1))?.sha256 === sha256;
  return {
    measure,
    put: async (content) => {
      const sha256 = await sha256Of(content);
      if (await holds(sha256, content.length)) return sha256;
      await attempt(() => objects.put(keyOf(sha256), content));
      if (!(await holds(sha256, content.length)))
        fail(`does not return the bytes that it was given: ${keyOf(sha256)} in ${bucket}`);
      return sha256;
    },
    has: async (sha256) => (await attempt(() => objects.find(keyOf(sha256)))) !== null,
    read: async (sha256, maxBytes) => read(keyOf(sha256), maxBytes),
    open: (sha256, range) => {
      const key = keyOf(sha256);
      const closed = new AbortController();
      const readRange = async function* () {
        const found = await attempt(() => objects.stream(key, range, closed.signal));
        if (found === null) return fail(`has lost ${key} in ${bucket}`);
        const isWhole = range.start === 0 && found.contentRange?.endsWith(`/${range.end + 1}`) === true;
        yield* isWhole ? passOnIfSame(found.chunks, sha256, fail) : found.chunks;
      };
      return Readable.from(readRange(), { objectMode: false }).once('close', () => closed.abort());
    },
    remove: async (sha256) => {
      await attempt(() => objects.remove(keyOf(sha256)));
    },
    list: async function* () {
      let after: string | undefined;
      for (;;) {
        const last = after;
        const keys = (await attempt(() => objects.list(prefix, last))) ?? [];
        for (const key of keys) {
          const sha256 = key.slice(prefix.length).replace('/', '');
          if (/^[0-9a-f]{64}$/.test(sha256)) yield sha256;
        }
        after = keys.at(-1);
        if (after === undefined) return;
      }
    },
    readId: async () => parseStoreId(await read(`${prefix}${storeIdFile}`, 100)),
    writeId: (id) => write(`${prefix}${storeIdFile}`, Buffer.from(`${id}\n`)),
    check: async ({ writes }) => {
      await measure('0'.repeat(64), 1);
      if (!writes) return [];
      // Servers that start together must not delete each other's file.
      const key = `${prefix}keyturn-check-${randomUUID()}`;
      await write(key, probe);
      try {
        await attempt(() => objects.remove(key));
        return [];
      } catch (error) {
        if (!(error instanceof FileStoreUnavailable) || !error.isRefused) throw error;
        return [`${reasonOf(error)}. So erased files cannot be deleted`];
      }
    },
    close: objects.close,
  };
}

/** The content of the file that a server stores, reads and deletes when it starts. */
const probe = Buffer.from('Keyturn checks that it can store files here.\n');

const defaultTimeouts = { connection: 3_000, answer: 5_000 };

/** Passes on a file’s bytes, the last of them only if all have the expected SHA-256. */
async function* passOnIfSame(
  chunks: AsyncIterable<Buffer>,
  sha256: string,
  fail: (reason: string) => never,
): AsyncGenerator<Buffer> {
  const hash = createHash('sha256');
  let held: Buffer | undefined;
  for await (const chunk of chunks) {
    if (held) yield held;
    hash.update(chunk);
    held = chunk;
  }
  if (hash.digest('hex') !== sha256) fail(`returned other bytes than those of ${sha256}`);
  if (held) yield held;
}
