import type { StoredRefundStatus } from '@keyturn/contract';

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
