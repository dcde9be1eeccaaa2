import type { FeedRecord } from '@keyturn/contract';
import { RecordRejected } from '../../records/rejected-record.ts';
import type { NamedClient } from './find-named-clients.ts';

/**
 * Finds the only client who can see a document.
 * @param named the clients of its case, and those who have left it
 * @param before the stored document; undefined for a new one
 * @returns their id; null if it is for everyone on the case
 * @throws RecordRejected
 */
export function planAudience(
  { for_client, signing }: FeedRecord<'documents'>,
  named: readonly NamedClient[],
  before: { forClientId: string | null; isSigned: boolean } | undefined,
): string | null {
  const id = named.find(({ reference }) => reference === for_client)?.id ?? null;
  if (for_client !== undefined && id === null)
    throw new RecordRejected('/for_client', `refers to "${for_client}", who is not on the case`);
  if (id !== null && signing !== undefined)
    throw new RecordRejected(
      '/for_client',
      'cannot be combined with signing, because everyone on the case signs the document',
    );
  if (before?.isSigned && id !== before.forClientId)
    throw new RecordRejected('/for_client', 'cannot change because the document is signed');
  return id;
}
