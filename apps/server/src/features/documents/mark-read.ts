import type { CaseDocument } from '@keyturn/contract';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { isId } from '../../platform/ids.ts';
import { insertRead, type OwnDocument } from './documents-store.ts';
import { readDocument } from './read-documents.ts';

/**
 * This client has opened a document: once, and the first time stays.
 * @throws DomainError `not_found`
 */
export async function markRead(
  { database, clock }: { database: Database; clock: Clock },
  of: OwnDocument,
): Promise<CaseDocument> {
  if (!isId(of.documentId)) throw new DomainError('not_found');
  await insertRead(database, of, clock());
  return readDocument(database, of);
}
