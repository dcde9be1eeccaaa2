import type { RefundStep } from './plan-refunds.ts';

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
