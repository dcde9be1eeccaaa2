import { createHash } from 'node:crypto';
import { type FileDependencies, rejectDamaged, type StoredFile } from './check-stored-file.ts';

/**
 * Reads and verifies a whole stored file, for work that needs all of it at once.
 * @throws DomainError `document_damaged`, as `checkStoredFile`
 */
export async function readStoredFile(dependencies: FileDependencies, file: StoredFile): Promise<Buffer> {
  const content = await dependencies.files.read(file.sha256, file.size + 1);
  const sha256Of = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
  rejectDamaged(dependencies, file, content && { size: content.length, sha256: sha256Of(content) });
  return content as Buffer;
}
