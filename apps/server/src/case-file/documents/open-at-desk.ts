import { recordAudit } from '../../platform/audit/record-audit.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Connection } from '../../platform/database.ts';
import type { DocumentContents, EditRequest, OpenedDocument } from '../editing/ports.ts';

export interface OpenDependencies {
  database: Connection;
  clock: Clock;
  documents: DocumentContents;
}

/**
 * Opens the file of a document for a staff member, to show it. It is audited before it is sent, and does not count as read
 * by a client.
 * @throws DomainError `not_found`, `document_damaged`, `unavailable`
 */
export async function openDocument(
  { database, clock, documents }: OpenDependencies,
  { actor, address }: Pick<EditRequest, 'actor' | 'address'>,
  request: Parameters<DocumentContents['open']>[0],
): Promise<Omit<OpenedDocument, 'reference'> & { isShown: true }> {
  const { reference, ...file } = await documents.open(request);
  await recordAudit(database, {
    occurredAt: clock(),
    actor,
    address,
    action: 'document.opened',
    subject: { kind: 'document', id: reference },
  });
  return { ...file, isShown: true };
}
