import { newId } from '../../platform/ids.ts';
import type { ProviderRefund } from '../ports/refunds.ts';
import {
  hasRefundFailed,
  isLaterStatus,
  isRefunding,
  type RefundEffect,
  type RefundStep,
} from '../records/refund-states.ts';
import type { PaymentRow, RefundRow } from '../records/rows.ts';

export interface RefundPlan {
  /** Reversals first, so that the refunded amount never exceeds the paid amount. */
  steps: RefundStep[];
  /** Pence refunded after all steps. */
  refundedAmount: number;
}

type RefundedPayment = Pick<PaymentRow, 'refundedAmount' | 'failedRefundAmount'>;

/**
 * Plans which refund rows are new or change. Answers of the provider can arrive in any order: each refund only moves
 * forward, and a refund that an answer lacks stays unchanged.
 * @param rows our refunds of the payment
 */
export function planRefunds(
  payment: RefundedPayment,
  rows: readonly RefundRow[],
  refunds: readonly ProviderRefund[],
): RefundPlan {
  const ordered = [...refunds].sort(byCreation);
  const unrecorded = unrecordedTotals(payment, rows);
  const steps = ordered.flatMap((refund): RefundStep[] => {
    const row = findRow(rows, refund);
    const effect = row ? effectOnRow(row, refund) : effectOfNew(unrecorded, refund);
    return effect ? [{ id: row?.id ?? newId(), isNew: !row, refund, effect }] : [];
  });
  const of = (effect: RefundEffect) => steps.filter((step) => step.effect === effect);
  const totalOf = (effect: RefundEffect) => of(effect).reduce((sum, { refund }) => sum + refund.amount, 0);
  return {
    steps: [...of('recorded'), ...of('settled'), ...of('failed'), ...of('reversed'), ...of('made')],
    refundedAmount: payment.refundedAmount - totalOf('reversed') + totalOf('made'),
  };
}

/** Our row of a refund: by the provider's id, or by our request that its metadata names. */
const findRow = (rows: readonly RefundRow[], { refundId, requestId, amount }: ProviderRefund) =>
  rows.find(({ providerRefundId }) => providerRefundId === refundId) ??
  rows.find((row) => row.status === 'approved' && row.id === requestId && row.amount === amount);

function effectOnRow({ status }: RefundRow, refund: ProviderRefund): RefundEffect | null {
  if (!isLaterStatus(status, refund.status)) return null;
  if (isRefunding(status)) return hasRefundFailed(refund.status) ? 'reversed' : 'settled';
  return hasRefundFailed(refund.status) ? 'failed' : 'made';
}

/** Returns the part of the payment's totals, in pence, that belongs to no row, from before refunds had rows. */
function unrecordedTotals(payment: RefundedPayment, rows: readonly RefundRow[]) {
  const totalOf = (counts: (status: string) => boolean) =>
    rows.filter(({ status }) => counts(status)).reduce((sum, { amount }) => sum + amount, 0);
  return {
    refunded: payment.refundedAmount - totalOf(isRefunding),
    failed: payment.failedRefundAmount - totalOf(hasRefundFailed),
  };
}

function effectOfNew(
  unrecorded: ReturnType<typeof unrecordedTotals>,
  { amount, status }: ProviderRefund,
): RefundEffect {
  const hasFailed = hasRefundFailed(status);
  if (hasFailed && amount <= unrecorded.failed) {
    unrecorded.failed -= amount;
    return 'recorded';
  }
  if (amount <= unrecorded.refunded) {
    unrecorded.refunded -= amount;
    return hasFailed ? 'reversed' : 'recorded';
  }
  return hasFailed ? 'failed' : 'made';
}

const byCreation = (a: ProviderRefund, b: ProviderRefund) =>
  a.createdAt.getTime() - b.createdAt.getTime() || (a.refundId < b.refundId ? -1 : 1);

/** Returns the alerts for the operator about a refund that is new or has changed. */
export function alertsOnRefund(
  { id, effect, refund }: RefundStep,
  payment: { id: string },
): { message: string; details: Record<string, unknown> }[] {
  const { amount, refundId, failureReason, status } = refund;
  const details = { payment: payment.id, refund: id, provider_refund: refundId, amount };
  if (effect === 'reversed' || effect === 'failed') {
    const message =
      status === 'cancelled'
        ? 'a refund was cancelled at the provider: refund it again, or pay the client back another way'
        : 'a refund failed at the provider: refund it again, or pay the client back another way';
    return [{ message, details: { ...details, reason: failureReason } }];
  }
  if (status === 'requires_action' && effect !== 'recorded') {
    return [{ message: 'a refund needs action at the provider before it is made', details }];
  }
  return [];
}
