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
 * @throws DomainError as `findOrCreatePayment` and `issueIntent` do
 */
export async function startPayment(
  dependencies: PaymentDependencies,
  request: PaymentRequest,
): Promise<PaymentIntent> {
  const { database, provider } = dependencies;
  const { payment, price } = await runTransaction(database, (transaction) =>
    findOrCreatePayment(dependencies, transaction, request),
  );
  if (payment.amount !== price) return cancelAtFormerPrice(dependencies, payment);
  if (payment.provider !== provider.name) {
    checkIsCancelled(await cancelAtProvider(dependencies, payment, 'provider_changed'));
    return startPayment(dependencies, request);
  }
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
