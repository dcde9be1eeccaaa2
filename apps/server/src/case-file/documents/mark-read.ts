import type { CaseDocument } from '@keyturn/contract';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { isId } from '../../platform/ids.ts';
import { runTransaction } from '../../platform/run-transaction.ts';
import { insertRead, type OwnDocument } from './documents-store.ts';
import { readDocument } from './read-documents.ts';

/**
 * Records that the client has opened a document. The first time is kept.
 * @throws DomainError `not_found`
 */
export async function markRead(
  { database, clock }: { database: Database; clock: Clock },
  query: OwnDocument,
): Promise<CaseDocument> {
  if (!isId(query.documentId)) throw new DomainError('not_found');
  await runTransaction(database, (transaction) => insertRead(transaction, query, clock()));
  return readDocument(query.documentId).forClient(database, query.clientId);
}
