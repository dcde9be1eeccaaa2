import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { type FeedList, feedFormat, feedRecords } from '@keyturn/contract';
import { createFeedSummary, type FeedSource } from '../../../case-file/import/feed-source.ts';
import { DomainError, invalidInput } from '../../../platform/domain-error.ts';
import { newId } from '../../../platform/ids.ts';
import { hasRepeatedField, repeatedField } from '../../../platform/requests/repeated-field.ts';
import { openFeedFile } from '../../import/sources/feed-file.ts';
import { stringify } from '../feed-faults.ts';
import { isKind, refusePassword } from '../send-records.ts';

/** The records of a batch, in a separate folder. */
export interface SpooledBatch {
  id: string;
  records: number;
  bytes: number;
  kinds: FeedList[];
  /** SHA-256 of the batch as it was sent, in hex. */
  digest: string;
  /** @returns the line number of a record, from 1, by its JSON pointer, such as `/clients/3` */
  lineOf(place: string): number;
  /** @returns the records, and a function that closes their files */
  open(): Promise<FeedSource & { close(): Promise<void> }>;
  /** Deletes the records. Idempotent. */
  remove(): Promise<void>;
}

/** In bytes. */
export const maxSpooledBytes = 100 * 1024 * 1024;
const maxLineBytes = 100 * 1024;
/** The number of lines is limited because even a short line needs some memory. */
const maxLines = 500_000;

/**
 * Reads a batch in which each line is a record with its kind, and stores the records of each kind as a case feed.
 * An incomplete batch is deleted.
 * @throws DomainError `invalid_input` for the first line that is invalid, `payload_too_large`
 */
export async function spoolBatch(folder: string, body: Readable, today: string): Promise<SpooledBatch> {
  const id = newId();
  const place = join(folder, id);
  await mkdir(place, { recursive: true, mode: 0o700 });
  const remove = () => rm(place, { recursive: true, force: true });
  const kinds = new Map<FeedList, KindFile>();
  try {
    const digest = createHash('sha256');
    let line = 0;
    let bytes = 0;
    for await (const text of readLines(body, (chunk) => {
      digest.update(chunk);
      bytes += chunk.length;
      if (bytes > maxSpooledBytes) throw tooLarge('A batch may have up to 100 MB. Send it in parts.');
    })) {
      line += 1;
      if (line > maxLines) throw tooLarge(`A batch may have up to ${maxLines} lines. Send it in parts.`);
      if (text.trim() === '') continue;
      const { kind, record } = parseLine(text, line);
      let file = kinds.get(kind);
      if (!file) {
        file = await createKindFile(join(place, `${kind}.json`), kind, today);
        kinds.set(kind, file);
      }
      await file.add(stringify(record, `line ${line}`), line);
    }
    for (const file of kinds.values()) await file.close();
    return {
      id,
      records: [...kinds.values()].reduce((sum, file) => sum + file.lines().length, 0),
      bytes,
      kinds: [...kinds.keys()],
      digest: digest.digest('hex'),
      lineOf: (of) => {
        const [, kind = '', index = ''] = of.split('/');
        return kinds.get(kind as FeedList)?.lines()[Number(index)] ?? 0;
      },
      open: () => openSpooled(place, [...kinds.keys()]),
      remove,
    };
  } catch (error) {
    for (const file of kinds.values()) await file.abandon();
    await remove();
    // The sender closed the connection before the end.
    if (body.errored) throw new DomainError('malformed_json', { message: 'The batch is incomplete.' });
    throw error;
  }
}

async function* readLines(body: Readable, onChunk: (chunk: Buffer) => void): AsyncGenerator<string> {
  let rest: Buffer = Buffer.alloc(0);
  let line = 0;
  // The connection stays usable, so that an invalid line can still be answered.
  for await (const chunk of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    onChunk(chunk);
    let from = 0;
    for (let end = chunk.indexOf(newLine); end !== -1; end = chunk.indexOf(newLine, from)) {
      line += 1;
      const text = Buffer.concat([rest, chunk.subarray(from, end)]);
      checkLength(text, line);
      yield toText(text, line);
      rest = Buffer.alloc(0);
      from = end + 1;
    }
    rest = Buffer.concat([rest, chunk.subarray(from)]);
    checkLength(rest, line + 1);
  }
  if (rest.length > 0) yield toText(rest, line + 1);
}

/** @throws DomainError `invalid_input` for a line that is not UTF-8 */
function toText(bytes: Buffer, line: number): string {
  if (!isUtf8(bytes)) throw invalidInput(`line ${line}`, 'is not encoded as UTF-8');
  const text = bytes.toString('utf8');
  return line === 1 ? text.replace(/^\uFEFF/, '') : text;
}

const newLine = 0x0a;

function checkLength(text: Buffer, line: number): void {
  if (text.length > maxLineBytes) throw invalidInput(`line ${line}`, 'is longer than 100 KB');
}

function parseLine(text: string, line: number): { kind: FeedList; record: object } {
  const field = `line ${line}`;
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw invalidInput(field, 'is not JSON: the batch may be incomplete');
  }
  if (hasRepeatedField(text, parsed)) throw invalidInput(field, repeatedField);
  const { kind, record, ...others } = (parsed ?? {}) as Record<string, unknown>;
  if (typeof kind !== 'string' || !isKind(kind))
    throw invalidInput(field, `needs a "kind": one of ${Object.keys(feedRecords).join(', ')}`);
  if (typeof record !== 'object' || record === null || Array.isArray(record))
    throw invalidInput(field, 'needs a "record": a JSON object');
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw invalidInput(field, 'has a field besides "kind" and "record"');
  if (kind === 'clients') refusePassword(record, field);
  return { kind, record };
}

const tooLarge = (message: string) => new DomainError('payload_too_large', { message });

/** The records of one kind, as a case feed on disk. */
interface KindFile {
  /** Adds a record, as JSON. */
  add(record: string, line: number): Promise<void>;
  /** The line of each record. */
  lines(): Uint32Array;
  /** Completes the file. */
  close(): Promise<void>;
  abandon(): Promise<void>;
}

async function createKindFile(path: string, kind: FeedList, today: string): Promise<KindFile> {
  const file: FileHandle = await open(path, 'wx', 0o600);
  let lines = new Uint32Array(256);
  let count = 0;
  let parts = [`{"format":"${feedFormat}","as_of":"${today}","${kind}":[`];
  let length = 0;
  const flush = async () => {
    await file.appendFile(parts.join(''));
    parts = [];
    length = 0;
  };
  return {
    add: async (record, line) => {
      if (count === lines.length) {
        const longer = new Uint32Array(lines.length * 2);
        longer.set(lines);
        lines = longer;
      }
      parts.push(count === 0 ? record : `,\n${record}`);
      lines[count] = line;
      count += 1;
      length += record.length;
      if (length > flushedAt) await flush();
    },
    lines: () => lines.subarray(0, count),
    close: async () => {
      parts.push(']}');
      await flush();
      await file.close();
    },
    abandon: () => file.close().catch(() => {}),
  };
}

/** Characters that wait to be written. */
const flushedAt = 256 * 1024;

/** Opens the records of all kinds as one feed. */
async function openSpooled(place: string, kinds: readonly FeedList[]) {
  const opened = new Map<FeedList, Awaited<ReturnType<typeof openFeedFile>>>();
  const close = async () => {
    for (const source of opened.values()) await source.close();
  };
  try {
    for (const kind of kinds) opened.set(kind, await openFeedFile(join(place, `${kind}.json`)));
  } catch (error) {
    await close();
    throw unreadable(error);
  }
  const { counts, orders } = createFeedSummary();
  for (const [kind, source] of opened) {
    counts[kind] = source.counts[kind];
    if (kind in orders) Object.assign(orders, { [kind]: source.orders[kind as keyof typeof orders] });
  }
  async function* readBatches(list: FeedList) {
    const source = opened.get(list);
    try {
      if (source) yield* source.readBatches(list);
    } catch (error) {
      throw unreadable(error);
    }
  }
  return { firm: undefined, counts, orders, readBatches, close };
}

/** The cause's message contains the path, which callers must not see. */
const unreadable = (cause: unknown) => new Error('a batch on disk cannot be read', { cause });

/**
 * Deletes folders of batches whose server was killed. A folder in use by another server is younger: receiving and
 * importing a batch takes minutes.
 * @param isWaiting whether this server still has to import a batch
 */
export async function removeAbandonedBatches(
  folder: string,
  now: Date,
  isWaiting: (id: string) => boolean,
): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    if (isWaiting(name)) continue;
    const place = join(folder, name);
    const found = await stat(place).catch(() => null);
    if (found && found.mtimeMs < now.getTime() - abandonedAfter)
      await rm(place, { recursive: true, force: true });
  }
}

/** Milliseconds. */
const abandonedAfter = 2 * 3_600_000;
