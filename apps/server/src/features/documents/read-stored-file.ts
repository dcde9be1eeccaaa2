import { createHash } from 'node:crypto';
import { Refusal } from '../../platform/refusal.ts';
import type { DocumentFiles } from './ports.ts';

export interface StoredFile {
  documentId: string;
  sha256: string;
  /** Bytes. */
  size: number;
}

/**
 * A file as it was put into the store, to the byte: its length and SHA-256 are compared every time.
 * @throws Refusal `document_damaged`, and tells whoever looks after the server, where it is missing or changed
 */
export async function readStoredFile(
  { files, alarm }: { files: DocumentFiles; alarm(message: string, details: Record<string, unknown>): void },
  { documentId, sha256, size }: StoredFile,
): Promise<Buffer> {
  const fault = (reason: string) => {
    alarm('a stored document is damaged', { document: documentId, sha256, reason });
    return new Refusal('document_damaged');
  };
  const content = await files.read(sha256, size + 1);
  if (content === null) throw fault('the file is missing');
  if (content.length !== size) {
    throw fault(content.length < size ? 'the file is cut short' : 'the file is longer than it was');
  }
  if (createHash('sha256').update(content).digest('hex') !== sha256) throw fault('the file was altered');
  return content;
}
