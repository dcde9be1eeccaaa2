import type { Payment } from '@keyturn/contract';
import { DomainError } from '../../../platform/domain-error.ts';
import type { PaymentDependencies } from '../payment-dependencies.ts';
import { cancelAtProvider } from '../provider/cancel-at-provider.ts';
import { findOwnPayment, toPayment } from '../records/read-payment.ts';

/**
 * Cancels a payment that was not made. The provider cancels its intent first, so that no open card form can still pay
 * it; if the provider already has the money, the payment becomes paid instead.
 * @throws DomainError `not_found`, `payment_settled` (paid, cancelled before, or being processed by the bank),
 *   `payment_under_review`, `payment_being_checked`, `provider_unavailable`
 */
export async function cancelPayment(
  dependencies: PaymentDependencies,
  request: { clientId: string; paymentId: string },
): Promise<Payment> {
  const payment = await findOwnPayment(dependencies.database, request.clientId, request.paymentId);
  if (payment.reviewReason !== null) throw new DomainError('payment_under_review');
  if (payment.paidAt || payment.status === 'cancelled') throw new DomainError('payment_settled');
  const after = await cancelAtProvider(dependencies, payment, 'payment_cancelled');
  if (after.reviewReason !== null) throw new DomainError('payment_under_review');
  if (after.status !== 'cancelled') throw new DomainError('payment_settled');
  return toPayment(after, undefined);
}
