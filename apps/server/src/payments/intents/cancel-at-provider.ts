import type { PaymentDependencies } from '../payment-dependencies.ts';
import { withProviderOf } from '../provider/find-provider.ts';
import { findPayment } from '../records/payments-store.ts';
import type { PaymentRow } from '../records/rows.ts';
import { cancelWithoutIntent, isWithoutIntent } from './cancel-without-intent.ts';
import { createIntent, mapProviderErrors } from './create-intent.ts';
import { syncPaymentFromProvider } from './sync-payment.ts';

/**
 * Cancels an open payment at its provider first, so that no open card form can still pay it, and then in Keyturn. If
 * the payment has already succeeded at the provider, it becomes paid instead. A payment without an intent gets one to
 * cancel, because a concurrent request may be creating it. A payment that certainly has no intent at the provider is
 * cancelled only in Keyturn.
 * @param cause for the record of the payment
 * @returns the current payment, cancelled or not
 * @throws DomainError `payment_being_checked`, `provider_unavailable`
 */
export async function cancelAtProvider(
  dependencies: PaymentDependencies,
  payment: PaymentRow,
  cause: string,
): Promise<PaymentRow> {
  const own = withProviderOf(dependencies, payment);
  try {
    const { intentId } = await createIntent(own, payment);
    await own.provider.cancelIntent(intentId);
    await syncPaymentFromProvider(own, intentId, { name: cause });
    return (await findPayment(own.database, payment.id)) ?? payment;
  } catch (error) {
    const after = isWithoutIntent(error, payment)
      ? await cancelWithoutIntent(own, payment, { cause, reason: error })
      : undefined;
    if (after?.status === 'cancelled') return after;
    return mapProviderErrors(Promise.reject(error));
  }
}
