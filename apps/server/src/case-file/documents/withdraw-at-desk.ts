import type { DeskDocument, WithdrawalReason } from '@keyturn/contract/staff';
import { DomainError } from '../../platform/domain-error.ts';
import { isId } from '../../platform/ids.ts';
import { type EditDependencies, findInCase } from '../editing/edit-record.ts';
import type { DocumentContents, EditRequest } from '../editing/ports.ts';

/** Withdraws a document that should not have been shared. @throws DomainError `not_found`, `edit_not_possible`, `unauthenticated` */
export async function withdrawDocument(
  {
    database,
    readCase,
    documents,
  }: Pick<EditDependencies, 'database' | 'readCase'> & { documents: DocumentContents },
  { actor, address, mayEdit }: EditRequest,
  { id, reason }: { id: string; reason: WithdrawalReason },
): Promise<{ document: DeskDocument }> {
  if (!isId(id)) throw new DomainError('not_found');
  const { caseId } = await database.transaction(async (transaction) => {
    if (!(await mayEdit(transaction))) throw new DomainError('unauthenticated');
    return documents.withdraw(transaction, {
      documentId: id,
      reason,
      by: { actor, address: address ?? null },
    });
  });
  return { document: findInCase(await readCase(database, caseId), 'document', id) as DeskDocument };
}
