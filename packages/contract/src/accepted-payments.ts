import { isClosed } from './case-status.ts';
import type { CaseStatus } from './vocabulary.ts';

/**
 * Whether a case in this status accepts a payment. A search is paid for while the case is active. Client money is only
 * accepted for work in progress (SRA Accounts Rules, rule 3.3); a bill can be paid after completion too.
 */
export const acceptsPayments = (
  status: CaseStatus,
  { kind, category }: { kind: 'search' | 'other'; category: string },
): boolean => (kind === 'search' ? status === 'active' : !isClosed(status) || category === 'legal_fees');
