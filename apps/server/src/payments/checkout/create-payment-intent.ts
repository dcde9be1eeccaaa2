import type { PaymentIntent } from '@keyturn/contract';
import type { StatementNames } from '../../case-file/cases/payable-cases.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { providersByName } from '../../platform/provider-names.ts';
import type { Payer } from '../attempts/payment-attempts.ts';
import { cancelWithoutIntent, isAtOurAccount, isWithoutIntent } from '../intents/cancel-at-provider.ts';
import { createIntent, mapProviderErrors } from '../intents/create-intent.ts';
import { applyProviderIntent, syncPaymentFromProvider } from '../intents/sync-payment.ts';
import type { PaymentDependencies } from '../payment-dependencies.ts';
import type { ProviderIntent } from '../ports/intents.ts';
import type { PaymentProvider } from '../ports/provider.ts';
import { IntentNotFound, MethodNotOffered } from '../ports/provider.ts';
import { notAccepted } from '../provider/find-provider.ts';
import { resetExpiry } from '../records/checks-store.ts';
import { findPayment } from '../records/payments-store.ts';
import type { PaymentRow } from '../records/rows.ts';
import { checkCanBePaid } from './check-can-be-paid.ts';

/**
 * Returns what the payer's browser needs to pay an open payment at the provider. Creates the intent if there is none,
 * and applies the provider's current state of it.
 * @param asked.statement the text for the payer's statement, if the caller knows it
 * @throws DomainError `already_paid`, `not_payable`, `payment_cancelled`, `payment_under_review`,
 *   `payment_being_checked`, `provider_unavailable`
 */
export async function createPaymentIntent(
  dependencies: PaymentDependencies,
  payment: PaymentRow,
  asked: { payer: Payer; statement?: StatementNames | null | undefined },
): Promise<PaymentIntent> {
  const { database, provider } = dependencies;
  const { payer } = asked;
  const cause = { name: 'payment_requested' };
  const { intent, decision } = await cancelIfWithoutIntent(dependencies, payment, async () => {
    const { intentId, created, isComplete } = await createIntent(dependencies, payment, asked);
    if (!created) return syncPaymentFromProvider(dependencies, intentId, cause);
    if (isComplete) return { intent: created.intent, decision: 'complete' as const };
    return applyProviderIntent(dependencies, created, cause);
  });
  if (decision === 'complete') {
    await namePayer(provider, payment, { payer, intent });
    return toPaymentIntent(provider, payment, { payer, intent });
  }
  if (decision === 'mismatched') throw new DomainError('payment_under_review');
  const current = (await findPayment(database, payment.id)) ?? payment;
  // The joint client or another tab may have cancelled it meanwhile.
  checkCanBePaid(current, null);
  return answerPayer(dependencies, current, { payer, intent });
}

/** Converts an intent as `toPaymentIntent` does. The request of the client who confirmed the payment resets its expiry. */
export async function answerPayer(
  { database, provider, clock }: Pick<PaymentDependencies, 'database' | 'provider' | 'clock'>,
  payment: PaymentRow,
  { payer, intent }: { payer: Payer; intent: ProviderIntent },
): Promise<PaymentIntent> {
  if (payment.confirmedBy === payer.clientId)
    await resetExpiry(database, { id: payment.id, at: clock(), payer });
  await namePayer(provider, payment, { payer, intent });
  return toPaymentIntent(provider, payment, { payer, intent });
}

/**
 * Writes the client who confirmed a payment into its intent before they get the secret that pays it, because another
 * client may have created the intent. A recovery then restores a paid intent under the name of its payer.
 * @throws DomainError `payment_being_checked`
 */
async function namePayer(
  provider: PaymentProvider,
  { confirmedBy }: PaymentRow,
  { payer, intent }: { payer: Payer; intent: ProviderIntent },
): Promise<void> {
  if (confirmedBy !== payer.clientId || intent.clientId === confirmedBy) return;
  await mapProviderErrors(provider.labelIntent(intent.intentId, { client_id: confirmedBy }));
}

/**
 * Converts a payment to the contract's form. Only the client who confirmed the payment gets the client secret: a browser
 * with the secret can pay, so the card is always that client's.
 */
const toPaymentIntent = (
  provider: PaymentProvider,
  { id, method, amount, currency, status, confirmedBy }: PaymentRow,
  { payer, intent }: { payer: Payer; intent: ProviderIntent },
): PaymentIntent => ({
  payment_id: id,
  method,
  provider: providersByName[provider.name].shownAs,
  publishable_key: provider.publishableKey,
  client_secret: confirmedBy === payer.clientId ? intent.clientSecret : null,
  amount,
  currency,
  status,
  statement_descriptor: intent.statementDescriptor ?? null,
});

/**
 * Calls the provider about a payment's intent. If it certainly has none, the payment is cancelled, so that it does not
 * block its search. An intent that may be at another account keeps its payment until that expires or is cancelled: a card
 * form that is still open could pay it there.
 * @throws DomainError `not_payable`, `card_not_accepted` or `bank_not_accepted` if the payment was cancelled, else as
 *   `mapProviderErrors` does
 */
export async function cancelIfWithoutIntent<Answer>(
  dependencies: Pick<PaymentDependencies, 'database' | 'provider' | 'alertOperator'>,
  payment: PaymentRow,
  call: () => Promise<Answer>,
): Promise<Answer> {
  try {
    return await call();
  } catch (error) {
    const isFinal =
      isWithoutIntent(error, payment) &&
      !(error instanceof IntentNotFound && !isAtOurAccount(payment, dependencies.provider));
    if (!isFinal) return mapProviderErrors(Promise.reject(error));
    const after = await cancelWithoutIntent(dependencies, payment, {
      cause: 'not_at_provider',
      reason: error,
    });
    if (after.status === 'cancelled') {
      throw new DomainError(error instanceof MethodNotOffered ? notAccepted(payment.method) : 'not_payable');
    }
    return mapProviderErrors(Promise.reject(error));
  }
}
