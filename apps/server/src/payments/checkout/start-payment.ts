import type { PaymentIntent } from '@keyturn/contract';
import { DomainError } from '../../platform/domain-error.ts';
import { runTransaction } from '../../platform/run-transaction.ts';
import { cancelAtProvider } from '../intents/cancel-at-provider.ts';
import type { PaymentDependencies } from '../payment-dependencies.ts';
import { isActive, withProviderOf } from '../provider/find-provider.ts';
import { cancelOutdated, checkIsCancelled } from './check-can-be-paid.ts';
import { createPaymentIntent } from './create-payment-intent.ts';
import { findOrCreatePayment } from './find-or-create-payment.ts';
import type { PaymentRequest } from './payment-request.ts';

/**
 * Starts a payment, or continues the open payment for the same thing. If the provider has stopped that one, another is
 * started.
 * @returns what the browser needs to pay at the provider
 * @throws DomainError `payments_paused`, and as `findOrCreatePayment` and `createPaymentIntent` do
 */
export async function startPayment(
  dependencies: PaymentDependencies,
  request: PaymentRequest,
): Promise<PaymentIntent> {
  try {
    return await startOrContinue(dependencies, request);
  } catch (error) {
    const isStopped = error instanceof DomainError && error.code === 'payment_cancelled';
    if (!isStopped) throw error;
    return startOrContinue(dependencies, request);
  }
}

async function startOrContinue(
  dependencies: PaymentDependencies,
  request: PaymentRequest,
): Promise<PaymentIntent> {
  const { database, continuity, accountKeys, providers } = dependencies;
  await continuity.checkOpen();
  await accountKeys.check();
  const { payment, outdated, statement } = await runTransaction(
    database,
    (transaction) => findOrCreatePayment(dependencies, transaction, request),
    { isPipelined: true },
  );
  if (outdated !== null && outdated !== 'confirmation_changed')
    return cancelOutdated(dependencies, payment, outdated);
  const replaced = outdated ?? (isActive(dependencies, payment.provider) ? null : 'provider_changed');
  if (replaced) {
    checkIsCancelled(await cancelAtProvider(dependencies, payment, replaced));
    return startOrContinue(dependencies, request);
  }
  if (payment.providerIntentId === null) continuity.remember(payment.id);
  if (providers.active.length > 1) await continuity.checkOpen(payment.provider);
  await accountKeys.check(payment.provider);
  return createPaymentIntent(withProviderOf(dependencies, payment), payment, {
    payer: request.payer,
    statement,
  });
}
