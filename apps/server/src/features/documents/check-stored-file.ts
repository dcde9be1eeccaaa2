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
  alertOperator: AlertOperator;
}

/**
 * Verifies the length and SHA-256 of a stored file in chunks.
 * @throws DomainError `document_damaged` after alerting the operator when the file is missing or changed
 */
export async function checkStoredFile(dependencies: FileDependencies, file: StoredFile): Promise<void> {
  rejectDamaged(dependencies, file, await dependencies.files.measure(file.sha256, file.size + 1));
}

/**
 * Rejects a stored file that differs from its record, as {@link checkStoredFile} does.
 * @param found the measured file; null when it is missing
 */
export function rejectDamaged(
  { alertOperator }: FileDependencies,
  { documentId, sha256, size }: StoredFile,
  found: { size: number; sha256: string } | null,
): void {
  const damaged = (reason: string) => {
    alertOperator('a stored document is damaged', { document: documentId, sha256, reason });
    return new DomainError('document_damaged');
  };
  if (found === null) throw damaged('the file is missing');
  if (found.size < size) throw damaged('the file is truncated');
  if (found.size > size) throw damaged('the file is longer than recorded');
  if (found.sha256 !== sha256) throw damaged('the file was altered');
}
