import Stripe from 'stripe';
import {
  type ListedRefund,
  type ProviderRefund,
  RefundRefused,
  type RefundTerms,
} from '../../payments/ports/refunds.ts';
import { toProviderError } from './to-provider-error.ts';

/**
 * Refunds a part or all of an intent's charge.
 * @throws RefundRefused, ProviderUnavailable, IdempotencyKeyConflict
 */
export async function createRefund(stripe: Stripe, terms: RefundTerms): Promise<ProviderRefund> {
  const { intentId, requestId, amount, reason, idempotencyKey } = terms;
  try {
    const refund = await stripe.refunds.create(
      { payment_intent: intentId, amount, reason, metadata: { refund_id: requestId } },
      { idempotencyKey },
    );
    return toProviderRefund(refund);
  } catch (error) {
    throw isRefused(error) ? new RefundRefused(error.code ?? 'invalid_request') : toProviderError(error);
  }
}

/** Lists the refunds of the account that belong to an intent. @throws ProviderUnavailable */
export async function listStripeRefunds(stripe: Stripe, since: Date): Promise<ListedRefund[]> {
  const listed: ListedRefund[] = [];
  try {
    const created = { gte: Math.floor(since.getTime() / 1000) };
    for await (const refund of stripe.refunds.list({ created, limit: 100 })) {
      const intentId = idOf(refund.payment_intent);
      if (intentId !== null) listed.push({ ...toProviderRefund(refund), intentId });
    }
  } catch (error) {
    throw toProviderError(error);
  }
  return listed;
}

/** Converts a refund of Stripe to the port's form. An unknown status counts as pending until Stripe decides. */
export const toProviderRefund = (refund: Stripe.Refund): ProviderRefund => ({
  refundId: refund.id,
  requestId: refund.metadata?.refund_id ?? null,
  amount: refund.amount,
  status: statuses[refund.status ?? 'pending'] ?? 'pending',
  reason: refund.reason,
  failureReason: refund.failure_reason ?? null,
  createdAt: new Date(refund.created * 1000),
});

const statuses: Partial<Record<string, ProviderRefund['status']>> = {
  pending: 'pending',
  requires_action: 'requires_action',
  succeeded: 'succeeded',
  failed: 'failed',
  canceled: 'cancelled',
};

/**
 * Whether Stripe has refused the refund itself (400, 402), for example because it exceeds the unrefunded amount or the
 * available balance.
 */
const isRefused = (error: unknown): error is Stripe.errors.StripeError =>
  error instanceof Stripe.errors.StripeInvalidRequestError || error instanceof Stripe.errors.StripeCardError;

const idOf = (value: string | { id: string } | null) =>
  typeof value === 'string' ? value : (value?.id ?? null);
