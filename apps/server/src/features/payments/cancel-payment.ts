import type { Payment } from '@keyturn/contract';
import { Refusal } from '../../platform/refusal.ts';
import { intentOfPayment, orBeingChecked } from './intent-of-payment.ts';
import { learnOfIntent, type PaymentDependencies } from './learn-of-intent.ts';
import { ownPayment, readPayment } from './read-payment.ts';

/**
 * Gives up a payment that has not been made. The provider ends its intent first, so that no card form that is still
 * open can pay it; where the provider has the money already, the payment is learned to be paid instead. A payment
 * without an intent is given one to end: a request for it may be under way.
 * @throws Refusal `not_found`, `payment_settled` (made, given up before, or on its way at the bank),
 *   `payment_being_checked`, `provider_unavailable`
 */
export async function cancelPayment(
  dependencies: PaymentDependencies,
  request: { clientId: string; paymentId: string },
): Promise<Payment> {
  const { database, provider } = dependencies;
  const { clientId, paymentId } = request;
  const payment = await ownPayment(database, clientId, paymentId);
  if (payment.paidAt || payment.status === 'canceled') throw new Refusal('payment_settled');
  const intentId = await intentOfPayment(dependencies, payment);
  await orBeingChecked(provider.cancelIntent(intentId));
  const { decision } = await orBeingChecked(
    learnOfIntent(dependencies, intentId, { name: 'payment_given_up' }),
  );
  if (decision === 'mismatched') throw new Refusal('payment_being_checked');
  const after = await readPayment(database, clientId, paymentId);
  if (after.status !== 'canceled') throw new Refusal('payment_settled');
  return after;
}
