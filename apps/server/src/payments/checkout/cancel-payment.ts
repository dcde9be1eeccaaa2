import type { Payment } from '@keyturn/contract';
import { DomainError } from '../../platform/domain-error.ts';
import { cancelAtProvider } from '../intents/cancel-at-provider.ts';
import type { PaymentDependencies } from '../payment-dependencies.ts';
import { setCancellationRequester } from '../records/payments-store.ts';
import { findOwnPayment, readPayment } from '../records/read-payment.ts';

/**
 * Cancels a payment that was not made. The provider cancels its intent first, so that no open card form can still pay
 * it; if the provider already has the money, the payment becomes paid instead. Any client on the case can cancel it, and
 * the payment says which one did.
 * @throws DomainError `not_found`, `payment_settled` (paid, cancelled before, or being processed by the bank),
 *   `payment_under_review`, `payment_being_checked`, `provider_unavailable`, `payments_paused`
 */
export async function cancelPayment(
  dependencies: PaymentDependencies,
  request: { clientId: string; paymentId: string },
): Promise<Payment> {
  const payment = await findOwnPayment(dependencies.database, request.clientId, request.paymentId);
  await dependencies.continuity.checkOpen(payment.provider);
  if (payment.reviewReason !== null) throw new DomainError('payment_under_review');
  if (payment.paidAt || payment.status === 'cancelled') throw new DomainError('payment_settled');
  // Before the provider is called: its webhook may be the first to report the cancellation.
  await setCancellationRequester(dependencies.database, { id: payment.id, clientId: request.clientId });
  const after = await cancelAtProvider(dependencies, payment, 'payment_cancelled').catch(
    async (error: unknown) => {
      await setCancellationRequester(dependencies.database, { id: payment.id, clientId: null });
      throw error;
    },
  );
  if (after.reviewReason !== null) throw new DomainError('payment_under_review');
  if (after.status !== 'cancelled') throw new DomainError('payment_settled');
  return readPayment(request.paymentId).forClient(dependencies.database, request.clientId);
}
