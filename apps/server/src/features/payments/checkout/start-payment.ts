import type { PaymentIntent } from '@keyturn/contract';
import type { Transaction } from '../../../platform/database.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import { runTransaction } from '../../../platform/run-transaction.ts';
import { cancelAtProvider } from '../provider/cancel-at-provider.ts';
import { ensureIntent, orBeingChecked } from '../provider/intent-of-payment.ts';
import {
  applyProviderIntent,
  type PaymentDependencies,
  syncPaymentFromProvider,
} from '../provider/sync-payment.ts';
import { findPayment, type PaymentRow, resetExpiry } from '../records/payments-store.ts';
import type { Payer } from './payment-attempts.ts';

/**
 * Starts a payment, or goes on with one: what every call that takes a payment does once it knows which.
 * @param payer who asks, and from where: they get the secret
 * @param hold finds the payment or makes it, in a transaction that may have to be run again
 * @returns what the browser needs to pay at the provider
 * @throws DomainError `already_paid`, `not_payable`, `payment_under_review`, `payment_being_checked`, `provider_unavailable`, and those of `hold`
 */
export async function startPayment(
  dependencies: PaymentDependencies,
  payer: Payer,
  hold: (transaction: Transaction) => Promise<PaymentRow>,
): Promise<PaymentIntent> {
  const { database, provider, clock } = dependencies;
  let payment = await runTransaction(database, hold);
  if (payment.provider !== provider.name) {
    // Begun before the provider was changed: it is ended there, and another one is begun here.
    await cancelAtProvider(dependencies, payment, 'provider_changed');
    payment = await runTransaction(database, hold);
    // One for no search is its key's for good: that key begins no other.
    if (payment.status === 'canceled') throw new DomainError('not_payable');
    if (payment.provider !== provider.name) throw new DomainError('payment_being_checked');
  }
  const { intentId, made } = await ensureIntent(dependencies, payment);
  const cause = { name: 'payment_requested' };
  const { intent, decision } = await orBeingChecked(
    made
      ? applyProviderIntent(dependencies, made, cause)
      : syncPaymentFromProvider(dependencies, intentId, cause),
  );
  const now = (await findPayment(database, payment.id)) ?? payment;
  if (decision === 'mismatched') throw new DomainError('payment_under_review');
  if (now.paidAt) throw new DomainError('already_paid');
  // Given up meanwhile, by the joint owner or in another tab.
  if (now.status === 'canceled') throw new DomainError('not_payable');
  // The payer is about to act: the catch-up looks soon, however long the payment was quiet, and it expires no sooner
  // than one that is new.
  await resetExpiry(database, { id: now.id, at: clock(), payer });
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
