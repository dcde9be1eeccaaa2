import type { AlertOperator } from '../../platform/alert-operator.ts';
import { DomainError } from '../../platform/domain-error.ts';
import type { DocumentFiles } from './ports.ts';

export interface StoredFile {
  documentId: string;
  sha256: string;
  /** Bytes. */
  size: number;
}

export interface FileDependencies {
  files: DocumentFiles;
  /** Told of what a person has to look at. */
  alertOperator: AlertOperator;
}

/**
 * Looks whether a file is as it was put into the store, to the byte, and holds little of it at a time: its length and
 * SHA-256 are compared.
 * @throws DomainError `document_damaged`, and tells whoever looks after the server, where it is missing or changed
 */
export async function checkStoredFile(dependencies: FileDependencies, file: StoredFile): Promise<void> {
  refuseDamaged(dependencies, file, await dependencies.files.measure(file.sha256, file.size + 1));
}

/**
 * @param found what is stored, or its beginning; null for nothing
 * @throws as `checkStoredFile` does
 */
export function refuseDamaged(
  { alertOperator }: FileDependencies,
  { documentId, sha256, size }: StoredFile,
  found: { size: number; sha256: string } | null,
): void {
  const fault = (reason: string) => {
    alertOperator('a stored document is damaged', { document: documentId, sha256, reason });
    return new DomainError('document_damaged');
  };
  if (found === null) throw fault('the file is missing');
  if (found.size < size) throw fault('the file is cut short');
  if (found.size > size) throw fault('the file is longer than it was');
  if (found.sha256 !== sha256) throw fault('the file was altered');
}
