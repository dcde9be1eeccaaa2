import { lstat, open, realpath } from 'node:fs/promises';
import { basename, isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { documentMediaTypes } from '@keyturn/contract';

/** A record is refused for this reason, at this field of it. */
export class RecordRefused extends Error {
  override name = 'RecordRefused';
  /** Below the record: `/price/net`. */
  readonly field: string;

  constructor(field: string, reason: string) {
    super(reason);
    this.field = field;
  }
}

export interface FeedFile {
  content: Buffer;
  fileName: string;
  mediaType: (typeof documentMediaTypes)[number];
}

/** Bytes. */
const largest = 25 * 1024 * 1024;

/**
 * Reads a document beside the feed. Its type is told by its first bytes, never by its name.
 * @param file relative to the folder, and inside it whatever links say
 * @throws RecordRefused
 */
export async function readFeedDocument(folder: string, file: string): Promise<FeedFile> {
  const refuse = (reason: string): never => {
    throw new RecordRefused('/file', reason);
  };
  if (isAbsolute(file) || file.includes('\\')) refuse('must be a path relative to the feed');
  const base = await realpath(folder);
  const place = await realpath(join(base, file)).catch(() => refuse('is not there'));
  const inside = relative(base, place);
  if (inside === '' || inside.startsWith(`..${sep}`) || inside === '..' || resolve(base, inside) !== place) {
    refuse('must be inside the folder of the feed');
  }
  const found = await lstat(place);
  if (!found.isFile()) refuse('is not a file');
  if (found.size > largest) refuse('is larger than 25 MB');
  if (found.size === 0) refuse('is empty');
  const handle = await open(place).catch(() => refuse('cannot be read'));
  try {
    const content = await handle.readFile();
    const mediaType = typeOf(content) ?? refuse('is neither PDF, JPEG, PNG nor WebP');
    return { content, fileName: basename(file), mediaType };
  } finally {
    await handle.close();
  }
}

function typeOf(content: Buffer): FeedFile['mediaType'] | undefined {
  const starts = (at: number, bytes: string) =>
    content.subarray(at, at + bytes.length).equals(Buffer.from(bytes, 'latin1'));
  if (starts(0, '%PDF-')) return 'application/pdf';
  if (starts(0, '\xff\xd8\xff')) return 'image/jpeg';
  if (starts(0, '\x89PNG\r\n\x1a\n')) return 'image/png';
  if (starts(0, 'RIFF') && starts(8, 'WEBP')) return 'image/webp';
  return undefined;
}
