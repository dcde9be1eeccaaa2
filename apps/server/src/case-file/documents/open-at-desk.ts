import { recordAudit } from '../../platform/audit/record-audit.ts';
import type { Clock } from '../../platform/clock.ts';
import type { EditRequest } from '../editing/edit-case.ts';
import { type ContentDependencies, type DocumentContent, readContentForStaff } from './read-content.ts';

export interface OpenDependencies {
  clock: Clock;
  contents: ContentDependencies;
}

/**
 * Opens the file of a document for a staff member, to show it. It is audited before it is sent, and does not count as read
 * by a client.
 * @throws DomainError `not_found`, `document_damaged`, `unavailable`
 */
export async function openDocumentAtDesk(
  { clock, contents }: OpenDependencies,
  { actor, address }: Pick<EditRequest, 'actor' | 'address'>,
  request: Parameters<typeof readContentForStaff>[1],
): Promise<DocumentContent & { isShown: true }> {
  const { reference, ...file } = await readContentForStaff(contents, request);
  await recordAudit(contents.database, {
    occurredAt: clock(),
    actor,
    address,
    action: 'document.opened',
    subject: { kind: 'document', id: reference },
  });
  return { ...file, isShown: true };
}
