import type { Payment } from '@keyturn/contract';
import { DomainError } from '../../../platform/domain-error.ts';
import type { PaymentDependencies } from '../payment-dependencies.ts';
import { cancelAtProvider } from '../provider/cancel-at-provider.ts';
import { findOwnPayment, toPayment } from '../records/read-payment.ts';

/**
 * Gives up a payment that has not been made. The provider ends its intent first, so that no card form that is still
 * open can pay it; where the provider has the money already, the payment is learned to be paid instead.
 * @throws DomainError `not_found`, `payment_settled` (made, given up before, or on its way at the bank),
 *   `payment_under_review`, `payment_being_checked`, `provider_unavailable`
 */
export async function cancelPayment(
  dependencies: PaymentDependencies,
  request: { clientId: string; paymentId: string },
): Promise<Payment> {
  const payment = await findOwnPayment(dependencies.database, request.clientId, request.paymentId);
  if (payment.reviewReason !== null) throw new DomainError('payment_under_review');
  if (payment.paidAt || payment.status === 'cancelled') throw new DomainError('payment_settled');
  const after = await cancelAtProvider(dependencies, payment, 'payment_given_up');
  if (after.reviewReason !== null) throw new DomainError('payment_under_review');
  if (after.status !== 'cancelled') throw new DomainError('payment_settled');
  return toPayment(after, undefined);
}
