import type { Readable } from 'node:stream';

/** Where documents are kept: by the SHA-256 of their content, in hex. */
export interface FileStore {
  /** Durable when it resolves. @returns the SHA-256 */
  put(content: Buffer): Promise<string>;
  has(sha256: string): Promise<boolean>;
  open(sha256: string): Readable;
}
