import type { PaymentIntent } from '@keyturn/contract';
import { DomainError } from '../../platform/domain-error.ts';
import { runTransaction } from '../../platform/run-transaction.ts';
import { createIntent } from '../intents/create-intent.ts';
import type { PaymentDependencies } from '../payment-dependencies.ts';
import { isActive, methodRefusal, withProviderOf } from '../provider/find-provider.ts';
import { decideOnIntent } from '../records/payment-states.ts';
import { findOwnPayment } from '../records/read-payment.ts';
import { checkCanBePaid } from './check-can-be-paid.ts';
import { answerPayer, cancelIfWithoutIntent } from './create-payment-intent.ts';
import { lockPayableOfPayment } from './lock-payable.ts';

/**
 * Reads the intent of an open payment, so that a browser can resume it. Creates a missing intent at the provider, but
 * confirms nothing and does not apply the provider's state: the answer has the provider's status, which may not be
 * recorded yet. Only the client who confirmed the payment gets the client secret.
 * @throws DomainError `not_found`, `already_paid`, `not_payable` (cancelled, or started with a former provider),
 *   `payment_cancelled` (by the provider), `card_not_accepted`, `bank_not_accepted`, `payment_under_review`,
 *   `too_many_payment_attempts`, `payment_being_checked`, `provider_unavailable`, `payments_paused`
 */
export async function retrievePaymentIntent(
  dependencies: PaymentDependencies,
  request: { clientId: string; paymentId: string; address: string | undefined },
): Promise<PaymentIntent> {
  const { database, attempts, continuity, accountKeys } = dependencies;
  const { clientId } = request;
  const payment = await findOwnPayment(database, clientId, request.paymentId);
  await continuity.checkOpen(payment.provider);
  await accountKeys.check(payment.provider);
  await runTransaction(database, async (transaction) => {
    const { obstacle } = await lockPayableOfPayment(dependencies, transaction, {
      payment,
      clientId,
    });
    checkCanBePaid(payment, obstacle);
    const refusal = methodRefusal(dependencies, payment);
    if (refusal) throw new DomainError(refusal);
    if (payment.status === 'requires_payment_method') await attempts.checkDeclines(transaction, request);
  });
  if (!isActive(dependencies, payment.provider)) throw new DomainError('not_payable');

  const own = withProviderOf(dependencies, payment);
  const intent = await cancelIfWithoutIntent(own, payment, async () => {
    const { intentId, created } = await createIntent(own, payment);
    return created?.intent ?? (await own.provider.retrieveIntent(intentId));
  });
  const decision = decideOnIntent(payment, intent);
  if (decision.kind === 'mismatched') throw new DomainError('payment_under_review');
  if (intent.status === 'succeeded') throw new DomainError('already_paid');
  if (intent.status === 'cancelled')
    throw new DomainError(intent.isStoppedByProvider ? 'payment_cancelled' : 'not_payable');
  const status = decision.kind === 'apply' ? decision.status : payment.status;
  return answerPayer(own, { ...payment, status }, { payer: request, intent });
}
