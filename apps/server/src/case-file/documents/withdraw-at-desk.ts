import type { DeskDocument, WithdrawalReason } from '@keyturn/contract/staff';
import { DomainError } from '../../platform/domain-error.ts';
import { isId } from '../../platform/ids.ts';
import { runTransaction } from '../../platform/run-transaction.ts';
import { findInCase } from '../cases/read-desk-case.ts';
import type { EditDependencies, EditRequest } from '../editing/edit-case.ts';
import { withdrawDocument } from './withdraw-document.ts';

/** Withdraws a document that should not have been shared. @throws DomainError `not_found`, `edit_not_possible`, `unauthenticated` */
export async function withdrawDocumentAtDesk(
  { database, clock, readCase }: Pick<EditDependencies, 'database' | 'clock' | 'readCase'>,
  { actor, address, mayEdit }: EditRequest,
  { id, reason }: { id: string; reason: WithdrawalReason },
): Promise<{ document: DeskDocument }> {
  if (!isId(id)) throw new DomainError('not_found');
  const { caseId } = await runTransaction(database, async (transaction) => {
    if (!(await mayEdit(transaction))) throw new DomainError('unauthenticated');
    return withdrawDocument(transaction, { documentId: id, reason, at: clock(), by: { actor, address } });
  });
  return { document: findInCase(await readCase(database, caseId), 'document', id) as DeskDocument };
}
