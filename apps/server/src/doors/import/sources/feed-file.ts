import { type FileHandle, open } from 'node:fs/promises';
import { type FeedList, feedRecords } from '@keyturn/contract';
import { batchSizes, createFeedSummary, type FeedSource } from '../../../case-file/import/feed-source.ts';
import { checkFrame, FeedError } from '../../../case-file/import/read-feed.ts';
import { createJsonCursor, type JsonCursor, JsonFault } from './read-json.ts';

/** In bytes: the records of a batch are in memory together. */
const maxBatchBytes = 4 * 1024 * 1024;

/**
 * Opens a feed file of any size. The whole file is checked to be JSON, but only one batch of its records is in memory.
 * @param chunkBytes how much of the file is read at once
 * @returns the feed, and a function that closes the file
 * @throws FeedError when the file does not exist, is not JSON or is not a case feed
 */
export async function openFeedFile(
  path: string,
  chunkBytes?: number,
): Promise<FeedSource & { close(): Promise<void> }> {
  const file = await open(path).catch((error) => {
    throw unreadable(path, error);
  });
  try {
    const summary = createFeedSummary();
    const offsets: Partial<Record<FeedList, number>> = {};
    const cursor = createJsonCursor(file, await lengthOfByteOrderMark(file, path), chunkBytes);
    const fields = await readTopLevel(cursor, offsets, summary.add).catch((error) => {
      if (error instanceof JsonFault) throw new FeedError(`${path} is not JSON: ${error.message}.`);
      throw unreadable(path, error);
    });
    const { firm } = checkFrame(fields);
    return {
      firm,
      counts: summary.counts,
      orders: summary.orders,
      readBatches: (list) => {
        const offset = offsets[list];
        return offset === undefined
          ? noBatches()
          : readBatches(createJsonCursor(file, offset, chunkBytes), path, list);
      },
      close: () => file.close(),
    };
  } catch (error) {
    await file.close();
    throw error;
  }
}

function unreadable(path: string, error: unknown): Error {
  if (error instanceof FeedError) return error;
  const { code, message } = error as NodeJS.ErrnoException;
  const reason =
    code === 'ENOENT' ? 'the file does not exist' : code === 'EISDIR' ? 'it is a folder' : message;
  return new FeedError(`${path} cannot be read: ${reason}.`);
}

/**
 * Reads the whole file once.
 * @param offsets receives where each list starts, in bytes
 * @param add called with each record of the lists
 * @returns the parsed top level, with empty lists; any other JSON value unchanged
 */
async function readTopLevel(
  cursor: JsonCursor,
  offsets: Partial<Record<FeedList, number>>,
  add: (list: FeedList, record: unknown) => void,
): Promise<unknown> {
  if ((await cursor.peek()) !== '{') {
    const value = await cursor.readValue();
    await expectEnd(cursor);
    return value;
  }
  const fields: Record<string, unknown> = {};
  for await (const key of readKeys(cursor)) {
    if (Object.hasOwn(fields, key)) throw new FeedError(`"${key}" appears twice in the feed.`);
    if (isList(key) && (await cursor.peek()) === '[') {
      offsets[key] = cursor.offset();
      for await (const record of readElements(cursor)) add(key, record);
      fields[key] = [];
    } else {
      Object.defineProperty(fields, key, { value: await cursor.readValue(), enumerable: true });
    }
  }
  await expectEnd(cursor);
  return fields;
}

/** Reads the keys of an object. The caller reads the value of each key before the next. */
async function* readKeys(cursor: JsonCursor): AsyncGenerator<string> {
  await cursor.expect('{');
  if ((await cursor.peek()) === '}') return cursor.expect('}');
  for (;;) {
    if ((await cursor.peek()) !== '"') await cursor.expect('"');
    const key = (await cursor.readValue()) as string;
    await cursor.expect(':');
    yield key;
    if ((await cursor.peek()) === '}') return cursor.expect('}');
    await cursor.expect(',');
  }
}

async function* readElements(cursor: JsonCursor): AsyncGenerator<unknown> {
  await cursor.expect('[');
  if ((await cursor.peek()) === ']') return cursor.expect(']');
  for (;;) {
    yield await cursor.readValue();
    if ((await cursor.peek()) === ']') return cursor.expect(']');
    await cursor.expect(',');
  }
}

async function expectEnd(cursor: JsonCursor): Promise<void> {
  const next = await cursor.peek();
  if (next !== null) throw new JsonFault(`unexpected "${next}" at byte ${cursor.offset()}`);
}

/** @returns 3 if the file starts with the byte order mark of UTF-8, else 0 */
async function lengthOfByteOrderMark(file: FileHandle, path: string): Promise<number> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(3), 0, 3, 0).catch((error) => {
    throw unreadable(path, error);
  });
  return bytesRead === 3 && buffer.equals(Buffer.from('\uFEFF')) ? 3 : 0;
}

async function* noBatches(): AsyncGenerator<unknown[]> {}

async function* readBatches(cursor: JsonCursor, path: string, list: FeedList): AsyncGenerator<unknown[]> {
  let batch: unknown[] = [];
  let startOfBatch = cursor.offset();
  try {
    for await (const record of readElements(cursor)) {
      batch.push(record);
      if (batch.length < batchSizes[list] && cursor.offset() - startOfBatch < maxBatchBytes) continue;
      yield batch;
      batch = [];
      startOfBatch = cursor.offset();
    }
  } catch (error) {
    if (!(error instanceof JsonFault)) throw error;
    throw new FeedError(`${path} changed during the import. Import it again.`);
  }
  if (batch.length > 0) yield batch;
}

const isList = (key: string): key is FeedList => Object.hasOwn(feedRecords, key);
