import type { PaymentIntent } from '@keyturn/contract';
import { DomainError } from '../../../platform/domain-error.ts';
import { providersByName } from '../../../platform/provider-names.ts';
import type { PaymentDependencies } from '../payment-dependencies.ts';
import type { ProviderIntent } from '../ports.ts';
import { resetExpiry } from '../provider/checks-store.ts';
import { ensureIntent } from '../provider/ensure-intent.ts';
import { applyProviderIntent, syncPaymentFromProvider } from '../provider/sync-payment.ts';
import type { PaymentRow } from '../records/payment-row.ts';
import { findPayment } from '../records/payments-store.ts';
import { cancelIfWithoutIntent } from './cancel-if-without-intent.ts';
import { checkCanBePaid } from './check-can-be-paid.ts';
import type { Payer } from './payment-attempts.ts';

/**
 * Gives the payer what the browser needs to pay an open payment at the provider. Creates the intent if there is none, and
 * applies the provider's current state of it.
 * @throws DomainError `already_paid`, `not_payable`, `payment_under_review`, `payment_being_checked`,
 *   `provider_unavailable`
 */
export async function issueIntent(
  dependencies: PaymentDependencies,
  payment: PaymentRow,
  payer: Payer,
): Promise<PaymentIntent> {
  const { database } = dependencies;
  const cause = { name: 'payment_requested' };
  const { intent, decision } = await cancelIfWithoutIntent(dependencies, payment, async () => {
    const { intentId, created } = await ensureIntent(dependencies, payment);
    return created
      ? applyProviderIntent(dependencies, created, cause)
      : syncPaymentFromProvider(dependencies, intentId, cause);
  });
  if (decision === 'mismatched') throw new DomainError('payment_under_review');
  const current = (await findPayment(database, payment.id)) ?? payment;
  // The joint owner or another tab may have cancelled it meanwhile.
  checkCanBePaid(current, true);
  return giveIntent(dependencies, current, { payer, intent });
}

/**
 * Converts a payment to the contract's form. Only the client who confirmed the payment gets the client secret, and only
 * their request resets its expiry. A browser with the secret can pay, so the card is always that client's.
 */
export async function giveIntent(
  { database, provider, clock }: Pick<PaymentDependencies, 'database' | 'provider' | 'clock'>,
  { id, amount, currency, status, confirmedBy }: PaymentRow,
  { payer, intent }: { payer: Payer; intent: ProviderIntent },
): Promise<PaymentIntent> {
  const isPayer = confirmedBy === payer.clientId;
  if (isPayer) await resetExpiry(database, { id, at: clock(), payer });
  return {
    payment_id: id,
    provider: providersByName[provider.name].shownAs,
    publishable_key: provider.publishableKey,
    client_secret: isPayer ? intent.clientSecret : null,
    amount,
    currency,
    status,
    statement_descriptor: intent.statementDescriptor ?? null,
  };
}
