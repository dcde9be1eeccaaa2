import type { PaymentIntent } from '@keyturn/contract';
import { DomainError } from '../../../platform/domain-error.ts';
import type { PaymentDependencies } from '../payment-dependencies.ts';
import type { PaymentProvider } from '../ports.ts';
import { resetExpiry } from '../provider/checks-store.ts';
import { ensureIntent, mapProviderErrors } from '../provider/ensure-intent.ts';
import { applyProviderIntent, syncPaymentFromProvider } from '../provider/sync-payment.ts';
import type { PaymentRow } from '../records/payment-row.ts';
import { findPayment } from '../records/payments-store.ts';
import { checkCanBePaid } from './check-can-be-paid.ts';
import type { Payer } from './payment-attempts.ts';

/**
 * Gives the payer what the browser needs to pay an open payment at the provider. Creates the intent if there is none,
 * applies the provider's current state of it, and resets the payment's expiry.
 * @throws DomainError `already_paid`, `not_payable`, `payment_under_review`, `payment_being_checked`,
 *   `provider_unavailable`
 */
export async function issueIntent(
  dependencies: PaymentDependencies,
  payment: PaymentRow,
  payer: Payer,
): Promise<PaymentIntent> {
  const { database, provider, clock } = dependencies;
  const { intentId, created } = await ensureIntent(dependencies, payment);
  const cause = { name: 'payment_requested' };
  const { intent, decision } = await mapProviderErrors(
    created
      ? applyProviderIntent(dependencies, created, cause)
      : syncPaymentFromProvider(dependencies, intentId, cause),
  );
  if (decision === 'mismatched') throw new DomainError('payment_under_review');
  const current = (await findPayment(database, payment.id)) ?? payment;
  // The joint owner or another tab may have cancelled it meanwhile.
  checkCanBePaid(current, true);
  await resetExpiry(database, { id: current.id, at: clock(), payer });
  return toPaymentIntent(provider, current, intent.clientSecret);
}

/** A payment and the secret of its intent, as the contract has it. */
export const toPaymentIntent = (
  provider: Pick<PaymentProvider, 'name' | 'publishableKey'>,
  { id, amount, currency, status }: Pick<PaymentRow, 'id' | 'amount' | 'currency' | 'status'>,
  clientSecret: string,
): PaymentIntent => ({
  payment_id: id,
  provider: provider.name,
  publishable_key: provider.publishableKey,
  client_secret: clientSecret,
  amount,
  currency,
  status,
});
