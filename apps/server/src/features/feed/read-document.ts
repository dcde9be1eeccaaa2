import { lstat, open, realpath } from 'node:fs/promises';
import { basename, isAbsolute, join, relative, resolve, sep } from 'node:path';

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
  mediaType: 'application/pdf' | 'image/png' | 'image/jpeg';
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
    const mediaType = typeOf(content) ?? refuse('is neither PDF, PNG nor JPEG');
    return { content, fileName: basename(file), mediaType };
  } finally {
    await handle.close();
  }
}

function typeOf(content: Buffer): FeedFile['mediaType'] | undefined {
  if (content.subarray(0, 5).toString('latin1') === '%PDF-') return 'application/pdf';
  if (content.subarray(0, 8).equals(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])))
    return 'image/png';
  if (content.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff]))) return 'image/jpeg';
  return undefined;
}
