import type { PaymentIntent } from '@keyturn/contract';
import type { Transaction } from '../../platform/database.ts';
import { Refusal } from '../../platform/refusal.ts';
import { runTransaction } from '../../platform/run-transaction.ts';
import { giveUpPayment } from './give-up-payment.ts';
import { intentOfPayment, orBeingChecked } from './intent-of-payment.ts';
import { learnOfIntent, type PaymentDependencies } from './learn-of-intent.ts';
import type { Payer } from './payment-attempts.ts';
import { findPayment, type PaymentRow, renewPayment } from './payments-store.ts';

/**
 * Starts a payment, or goes on with one: what every call that takes a payment does once it knows which.
 * @param payer who asks, and from where: they get the secret
 * @param hold finds the payment or makes it, in a transaction that may have to be run again
 * @returns what the browser needs to pay at the provider
 * @throws Refusal `already_paid`, `not_payable`, `payment_under_review`, `payment_being_checked`, `provider_unavailable`, and those of `hold`
 */
export async function takePayment(
  dependencies: PaymentDependencies,
  payer: Payer,
  hold: (transaction: Transaction) => Promise<PaymentRow>,
): Promise<PaymentIntent> {
  const { database, provider, clock } = dependencies;
  let payment = await runTransaction(database, hold);
  if (payment.provider !== provider.name) {
    // Begun before the provider was changed: it is ended there, and another one is begun here.
    await giveUpPayment(dependencies, payment, 'provider_changed');
    payment = await runTransaction(database, hold);
    if (payment.provider !== provider.name) throw new Refusal('payment_being_checked');
  }
  const intentId = await intentOfPayment(dependencies, payment);
  const { intent, decision } = await orBeingChecked(
    learnOfIntent(dependencies, intentId, { name: 'payment_requested' }),
  );
  const now = (await findPayment(database, payment.id)) ?? payment;
  if (decision === 'mismatched') throw new Refusal('payment_under_review');
  if (now.paidAt) throw new Refusal('already_paid');
  // Given up meanwhile, by the joint owner or in another tab.
  if (now.status === 'canceled') throw new Refusal('not_payable');
  // The payer is about to act: the catch-up looks soon, however long the payment was quiet, and it expires no sooner
  // than one that is new.
  await renewPayment(database, { id: now.id, at: clock(), payer });
  return {
    payment_id: now.id,
    provider: provider.name,
    publishable_key: provider.publishableKey,
    client_secret: intent.clientSecret,
    amount: now.amount,
    currency: now.currency,
    status: now.status,
  };
}
