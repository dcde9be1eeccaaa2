import type { CaseSearchStatus } from '@keyturn/contract';
import type { AllocationCause } from '@keyturn/contract/staff';
import { londonDay } from '@keyturn/format/london-time';

/** What is known about a search when the money of its payment clears. */
export interface SearchToAllocate {
  status: CaseSearchStatus;
  orderedAt: Date | null;
  /** Pence with VAT; null if the firm has not said what the supplier charges. */
  supplierCost: number | null;
  /** Pence that the supplier pays back to the firm; null for none. */
  rebate: number | null;
  /** Whether the firm orders at once, from its own money, so that an ordered search is one that it has paid. */
  isOrderedFromOfficeMoney: boolean;
}

/**
 * Decides how much of the payment for a search repays the firm, in pence. What the firm paid its supplier before the money cleared is no
 * unpaid disbursement any more (SRA Accounts Rules 2.1(d)). The firm's own charge stays clients' money until it is billed (4.3), and a
 * rebate is no cost of the firm. Where something is missing, all of it stays clients' money.
 * @param clearsOn the day in London on which the money cleared, according to the provider
 */
export function decideAllocation(
  search: SearchToAllocate,
  { amount, clearsOn, awaitsPayerCheck }: { amount: number; clearsOn: string; awaitsPayerCheck: boolean },
): { office: number; cause: AllocationCause } {
  if (!isOrderedBy(search, clearsOn)) return { office: 0, cause: 'not_ordered' };
  if (!search.isOrderedFromOfficeMoney) return { office: 0, cause: 'not_paid_first' };
  if (awaitsPayerCheck) return { office: 0, cause: 'payer_unchecked' };
  if (search.supplierCost === null) return { office: 0, cause: 'cost_unknown' };
  const cost = Math.max(0, search.supplierCost - (search.rebate ?? 0));
  return { office: Math.min(cost, amount), cause: 'ordered_before' };
}

/** Whether the firm ordered the search before the money cleared, or on the same day. */
const isOrderedBy = ({ status, orderedAt }: SearchToAllocate, day: string): boolean =>
  ['ordered', 'returned', 'reviewed'].includes(status) && orderedAt !== null && londonDay(orderedAt) <= day;
