import type { StoredRefundStatus } from '@keyturn/contract';
import type { ProviderRefund } from '../ports/refunds.ts';

/**
 * The allowed status transitions of a refund, with their causes. `refund_transitions` in the database is the same
 * table, and the database refuses all others too.
 */
export const refundTransitions = {
  awaiting_approval: {
    approved: 'a second person approved it',
    rejected: 'staff rejected it',
  },
  approved: {
    rejected: 'the provider refused it',
    requires_action: 'the provider needs the payer to act',
    pending: 'the provider has accepted it',
    succeeded: 'the provider has made it',
    failed: 'the payer’s bank returned it',
    cancelled: 'it was cancelled at the provider',
  },
  rejected: {},
  requires_action: {
    pending: 'the payer acted',
    succeeded: 'the provider has made it',
    failed: 'the payer did not act, or the bank returned it',
    cancelled: 'it was cancelled at the provider',
  },
  pending: {
    succeeded: 'the provider has made it',
    failed: 'the payer’s bank returned it',
    cancelled: 'it was cancelled at the provider',
  },
  succeeded: {
    failed: 'the payer’s bank returned it, which can take weeks',
    cancelled: 'it was cancelled at the provider',
  },
  failed: {},
  cancelled: {},
} as const satisfies Record<StoredRefundStatus, Partial<Record<StoredRefundStatus, string>>>;

/** Whether the provider's status is newer than ours. Outdated answers change nothing. */
export const isLaterStatus = (from: StoredRefundStatus, to: StoredRefundStatus): boolean =>
  to in refundTransitions[from];

/** Whether the money of a refund is on its way to the payer, or has reached them. */
export const isRefunding = (status: string): boolean =>
  status === 'pending' || status === 'requires_action' || status === 'succeeded';

/** Whether a refund has failed or was cancelled, so that the firm has the money again. */
export const hasRefundFailed = (status: string): boolean => status === 'failed' || status === 'cancelled';

/** Returns the pence refunded, without refunds that failed. */
export const refundedAmountOf = (refunds: readonly Pick<ProviderRefund, 'amount' | 'status'>[]): number =>
  sumOf(refunds.filter(({ status }) => isRefunding(status)));

/** Returns the sum of these amounts, in pence. */
export const sumOf = (refunds: readonly { amount: number }[]) =>
  refunds.reduce((sum, { amount }) => sum + amount, 0);

/** A new refund, or one with a changed status. */
export interface RefundStep {
  /** The id of our row. */
  id: string;
  isNew: boolean;
  refund: ProviderRefund;
  effect: RefundEffect;
}

/**
 * The meaning of a step.
 * - `made`: the provider has accepted or made it, so the money is on its way to the payer
 * - `reversed`: the refund was made, and has failed
 * - `failed`: the refund had failed before we found out about it
 * - `settled`: the status of a refund that was accepted before changed, and it has not failed
 * - `recorded`: the payment's totals contained it before refunds had rows
 */
export type RefundEffect = 'made' | 'reversed' | 'failed' | 'settled' | 'recorded';
