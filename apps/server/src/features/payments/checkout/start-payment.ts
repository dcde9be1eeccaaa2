import type { PaymentIntent } from '@keyturn/contract';
import { DomainError } from '../../../platform/domain-error.ts';
import { runTransaction } from '../../../platform/run-transaction.ts';
import type { PaymentDependencies } from '../payment-dependencies.ts';
import { cancelAtProvider } from '../provider/cancel-at-provider.ts';
import type { PaymentRow } from '../records/payment-row.ts';
import { checkIsCancelled } from './check-can-be-paid.ts';
import { findOrCreatePayment } from './find-or-create-payment.ts';
import { issueIntent } from './issue-intent.ts';
import type { PaymentRequest } from './payment-request.ts';

/**
 * Starts a payment, or continues the open payment for the same thing.
 * @returns what the browser needs to pay at the provider
 * @throws DomainError `payments_paused`, and as `findOrCreatePayment` and `issueIntent` do
 */
export async function startPayment(
  dependencies: PaymentDependencies,
  request: PaymentRequest,
): Promise<PaymentIntent> {
  const { database, provider, continuity } = dependencies;
  await continuity.checkOpen();
  const { payment, outdated } = await runTransaction(database, (transaction) =>
    findOrCreatePayment(dependencies, transaction, request),
  );
  if (outdated === 'price_changed') return cancelAtFormerPrice(dependencies, payment);
  const replaced = outdated ?? (payment.provider === provider.name ? null : 'provider_changed');
  if (replaced) {
    checkIsCancelled(await cancelAtProvider(dependencies, payment, replaced));
    return startPayment(dependencies, request);
  }
  if (payment.providerIntentId === null) continuity.remember(payment.id);
  return issueIntent(dependencies, payment, request.payer);
}

/**
 * Cancels an open payment whose price has changed: the client has to see the new price first.
 * @throws DomainError always: `price_changed`, or what became of the payment instead
 */
export async function cancelAtFormerPrice(
  dependencies: PaymentDependencies,
  payment: PaymentRow,
): Promise<never> {
  checkIsCancelled(await cancelAtProvider(dependencies, payment, 'price_changed'));
  throw new DomainError('price_changed');
}
