import type { PaymentDependencies } from '../payment-dependencies.ts';
import type { PaymentRow } from '../records/payment-row.ts';
import { findPayment } from '../records/payments-store.ts';
import { ensureIntentId, mapProviderErrors } from './ensure-intent.ts';
import { withProviderOf } from './find-provider.ts';
import { syncPaymentFromProvider } from './sync-payment.ts';

/**
 * Ends an open payment at its own provider first, so that no card form that is still open can pay it, and then here.
 * Where the provider has the money already, the payment is learned to be paid instead. A payment without an intent is
 * given one to end: a request for it may be under way.
 * @param cause for the record
 * @returns how it stands after that: `cancelled` or not
 * @throws DomainError `payment_being_checked`, `provider_unavailable`
 */
export async function cancelAtProvider(
  dependencies: PaymentDependencies,
  payment: PaymentRow,
  cause: string,
): Promise<PaymentRow> {
  const own = withProviderOf(dependencies, payment);
  const intentId = await ensureIntentId(own, payment);
  await mapProviderErrors(own.provider.cancelIntent(intentId));
  await mapProviderErrors(syncPaymentFromProvider(own, intentId, { name: cause }));
  return (await findPayment(own.database, payment.id)) ?? payment;
}
