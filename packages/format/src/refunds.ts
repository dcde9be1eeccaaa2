/** The fields of a refund that determine what the client has received and is still owed. */
export interface RefundFacts {
  /** Pence. */
  amount: number;
  status: string;
  /** ISO 8601. */
  created_at: string;
  /** When it failed or was cancelled; null otherwise. */
  failed_at: string | null;
}

/** Whether the provider has accepted a refund but not completed it. */
export const isRefundPending = ({ status }: Pick<RefundFacts, 'status'>): boolean =>
  status === 'pending' || status === 'requires_action';

/**
 * Returns the failed refunds that were not repeated, so that the firm still owes the client this money. A failed
 * refund counts as repeated after a later refund of the same amount, or a full refund.
 * @param payment.amount the amount paid, in pence
 */
export function owedRefunds<Refund extends RefundFacts>(payment: {
  amount: number;
  refunded_amount: number;
  refunds: readonly Refund[];
}): Refund[] {
  if (payment.refunded_amount >= payment.amount) return [];
  const made = payment.refunds.filter(({ failed_at }) => failed_at === null);
  return payment.refunds.filter((refund) => {
    const { failed_at } = refund;
    if (failed_at === null) return false;
    const again = made.findIndex(
      ({ amount, created_at }) => amount === refund.amount && created_at >= failed_at,
    );
    if (again === -1) return true;
    made.splice(again, 1);
    return false;
  });
}
