import { createHash } from 'node:crypto';
import { type FileDependencies, refuseDamaged, type StoredFile } from './check-stored-file.ts';

/**
 * The whole of a file as it was put into the store, to the byte, for work that needs all of it at once.
 * @throws as `checkStoredFile` does
 */
export async function readStoredFile(dependencies: FileDependencies, file: StoredFile): Promise<Buffer> {
  const content = await dependencies.files.read(file.sha256, file.size + 1);
  const digestOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
  refuseDamaged(dependencies, file, content && { size: content.length, sha256: digestOf(content) });
  return content as Buffer;
}
