import { payableSearches } from '../../case-file/searches/payable-searches.ts';
import type { Transaction } from '../../platform/database.ts';
import type { PaymentAllocation } from '../../schema/tables/payment-tables.ts';
import { reopenTransfers } from '../accounts/balance-store.ts';
import type { PaymentRow } from '../records/rows.ts';
import { decideAllocation } from './decide-allocation.ts';

/**
 * Decides whose money the cleared payment for a search is. Its search is locked.
 * @param payment the payment as it will be stored
 * @returns null for a payment that is not for a search
 */
export async function allocateSearchPayment(
  transaction: Transaction,
  payment: Pick<PaymentRow, 'caseSearchId' | 'amount' | 'provider' | 'providerIntentId'>,
  facts: { clearsOn: string; awaitsPayerCheck: boolean; at: Date },
): Promise<PaymentAllocation | null> {
  const search =
    payment.caseSearchId && (await payableSearches.readToAllocate(transaction, payment.caseSearchId));
  if (!search) return null;
  const decided = decideAllocation(search, { amount: payment.amount, ...facts });
  if (decided.office > 0) await reopenTransfers(transaction, payment);
  return {
    ...decided,
    reason: null,
    decided_by: null,
    decided_by_staff: null,
    decided_at: facts.at.toISOString(),
  };
}
