import { newId } from '../../platform/ids.ts';
import type { PaymentRow } from '../records/payment-row.ts';
import { hasRefundFailed, isRefunding, type ProviderRefund } from './ports.ts';
import type { RefundRow } from './refund-row.ts';
import { isLaterStatus } from './refund-states.ts';

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
