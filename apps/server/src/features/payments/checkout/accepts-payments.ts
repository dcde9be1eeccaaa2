import type { CaseStatus } from '@keyturn/contract';

/**
 * Whether money is taken for a case in this state. A search is paid for while the case is going on. Of other money, client
 * money is held for work under way alone (SRA Accounts Rules, 3.3); a bill can come at the very end.
 */
export const acceptsPayments = (
  status: CaseStatus,
  { kind, category }: { kind: 'search' | 'other'; category: string },
): boolean =>
  kind === 'search'
    ? status === 'active'
    : status === 'active' || status === 'on_hold' || category === 'legal_fees';
