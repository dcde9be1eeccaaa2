import type { ProviderDispute } from '../ports/disputes.ts';
import type { DisputeRow } from '../records/rows.ts';

/**
 * Compares the disputes of one payment at its provider with those that are stored.
 * @returns each difference as a clause
 */
export const compareDisputes = (
  stored: readonly DisputeRow[],
  atProvider: readonly ProviderDispute[],
): string[] =>
  atProvider.flatMap((dispute) => {
    const row = stored.find(({ providerDisputeId }) => providerDisputeId === dispute.disputeId);
    if (row && describe(row) === describe(dispute)) return [];
    const recorded = row ? describe(row) : 'none';
    return [`dispute ${dispute.disputeId} is ${describe(dispute)} at the provider, ${recorded} is recorded`];
  });

const describe = ({
  isInquiry,
  status,
  outcome,
}: Pick<ProviderDispute, 'isInquiry' | 'status' | 'outcome'>) =>
  [isInquiry && 'inquiry', outcome ?? status].filter(Boolean).join(' ');
