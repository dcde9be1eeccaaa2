import { type CaseStatus, isClosed } from '@keyturn/contract';

/**
 * Returns the text of an empty part of a case. Only an active case promises what will come.
 * @param status of the case, or of the matter that the part belongs to
 * @param whileActive what will appear here and when
 */
export function emptyText(status: CaseStatus, whileActive: string): string {
  if (status === 'active') return whileActive;
  if (isClosed(status)) return 'There is nothing here, and your case is closed.';
  return 'There is nothing here at the moment: your case is on hold.';
}
