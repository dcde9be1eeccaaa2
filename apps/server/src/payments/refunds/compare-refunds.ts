import { formatMoney } from '@keyturn/format/money';
import type { ProviderRefund } from '../ports/refunds.ts';
import type { Discrepancy } from '../records/discrepancies.ts';
import { isLaterStatus } from '../records/refund-states.ts';
import type { RefundRow } from '../records/rows.ts';

/**
 * Compares our refunds of a payment with the provider's.
 * @param rows our refunds that the provider should have
 */
export function compareRefunds(
  paymentId: string,
  rows: readonly RefundRow[],
  refunds: readonly ProviderRefund[],
): Discrepancy[] {
  const discrepancy = (kind: Discrepancy['kind'], found: string) => ({ kind, subject: paymentId, found });
  const byId = new Map(rows.map((row) => [row.providerRefundId, row]));
  const known = new Set(refunds.map(({ refundId }) => refundId));
  return [
    ...refunds.flatMap(({ refundId, amount, status }) => {
      const name = `refund ${refundId} of ${formatMoney(amount)}`;
      const row = byId.get(refundId);
      if (!row)
        return [discrepancy('refund_not_recorded', `${name} is ${status} at the provider, and not recorded`)];
      if (row.status === status) return [];
      const kind = isLaterStatus(row.status, status) ? 'refund_mismatch' : 'refund_went_back';
      return [discrepancy(kind, `${name} is ${status} at the provider, ${row.status} is recorded`)];
    }),
    ...rows
      .filter(({ providerRefundId }) => providerRefundId !== null && !known.has(providerRefundId))
      .map((row) =>
        discrepancy(
          'refund_not_at_provider',
          `refund ${row.providerRefundId} of ${formatMoney(row.amount)} is ${row.status}, but the provider does not list it`,
        ),
      ),
  ];
}
