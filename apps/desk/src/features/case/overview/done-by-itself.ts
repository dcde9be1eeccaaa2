import type { DeskCase, DeskTask } from '@keyturn/contract/staff';
import { signingState } from '../documents/document-edits.ts';

/**
 * Says what completes a task that follows from something due, so that staff cannot mark it as done.
 * @returns null for a task that staff complete
 */
export function doneByItself(
  { kind, case_search_id, document_id }: DeskTask,
  deskCase: Pick<DeskCase, 'searches' | 'documents' | 'clients'>,
): string | null {
  if (kind === 'pay_search') {
    const search = deskCase.searches.find(({ id }) => id === case_search_id);
    return search?.status === 'awaiting_payment' ? 'Done once it’s paid, ordered or cancelled.' : null;
  }
  if (kind !== 'sign_document') return null;
  const document = deskCase.documents.find(({ id }) => id === document_id);
  if (!document || document.withdrawn_at !== null || signingState(document, deskCase)?.tone !== 'to-do')
    return null;
  return document.signing === 'simple'
    ? 'Done once everyone has signed.'
    : 'Done once you’ve entered under Documents when you received the signed paper.';
}
