import { lstat, open, realpath } from 'node:fs/promises';
import { basename, isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { documentMediaTypes } from '@keyturn/contract';
import { maxFeedFileBytes } from '@keyturn/contract/feed';
import { hasPdfHeader } from '../../../platform/files/pdf-header.ts';
import { RecordRejected } from '../../records/rejected-record.ts';

export interface FeedFile {
  content: Buffer<ArrayBuffer>;
  fileName: string;
  mediaType: (typeof documentMediaTypes)[number];
}

const tooLarge = 'is larger than 25 MB';

/**
 * Reads a document file of a feed. The first bytes determine its type, not its name.
 * @param file path relative to the folder, and inside it after resolving symbolic links
 * @throws RecordRejected
 */
export async function readFeedDocument(folder: string, file: string): Promise<FeedFile> {
  const reject = (reason: string): never => {
    throw new RecordRejected('/file', reason);
  };
  if (isAbsolute(file) || file.includes('\\')) reject('must be a path relative to the feed');
  const base = await realpath(folder);
  const place = await realpath(join(base, file)).catch(() => reject('does not exist'));
  const inside = relative(base, place);
  if (inside === '' || inside.startsWith(`..${sep}`) || inside === '..' || resolve(base, inside) !== place) {
    reject('must be inside the feed’s folder');
  }
  const found = await lstat(place);
  if (!found.isFile()) reject('is not a file');
  // Checked before the file is read into memory.
  if (found.size > maxFeedFileBytes) reject(tooLarge);
  const handle = await open(place).catch(() => reject('cannot be read'));
  try {
    const content = await handle.readFile();
    return { content, fileName: basename(file), mediaType: checkDocumentContent(content) };
  } finally {
    await handle.close();
  }
}

/** @returns the type of a document’s file @throws RecordRejected */
export function checkDocumentContent(content: Buffer): FeedFile['mediaType'] {
  const reject = (reason: string): never => {
    throw new RecordRejected('/file', reason);
  };
  if (content.length > maxFeedFileBytes) reject(tooLarge);
  if (content.length === 0) reject('is empty');
  return typeOf(content) ?? reject('must be a PDF, JPEG, PNG or WebP');
}

function typeOf(content: Buffer): FeedFile['mediaType'] | undefined {
  const starts = (at: number, bytes: string) =>
    content.subarray(at, at + bytes.length).equals(Buffer.from(bytes, 'latin1'));
  if (starts(0, '\xff\xd8\xff')) return 'image/jpeg';
  if (starts(0, '\x89PNG\r\n\x1a\n')) return 'image/png';
  if (starts(0, 'RIFF') && starts(8, 'WEBP')) return 'image/webp';
  return hasPdfHeader(content) ? 'application/pdf' : undefined;
}
