import { openPaymentStatuses } from '@keyturn/contract';
import { payableSearches } from '../../case-file/searches/payable-searches.ts';
import { runTransaction } from '../../platform/run-transaction.ts';
import type { PaymentDependencies } from '../payment-dependencies.ts';
import { IntentNotFound, type PaymentProvider, ProviderRefused } from '../ports/provider.ts';
import { withProviderOf } from '../provider/find-provider.ts';
import { findPayment, lockPayment, updatePayment } from '../records/payments-store.ts';
import type { PaymentRow } from '../records/rows.ts';
import { createIntent, mapProviderErrors } from './create-intent.ts';
import { syncPaymentFromProvider } from './sync-payment.ts';

/**
 * Cancels an open payment at its provider first, so that no open card form can still pay it, and then in Keyturn. If
 * the payment has already succeeded at the provider, it becomes paid instead. A payment without an intent gets one to
 * cancel, because a concurrent request may be creating it. A payment that certainly has no intent at the provider is
 * cancelled only in Keyturn.
 * @param cause for the record of the payment
 * @returns the current payment, cancelled or not
 * @throws DomainError `payment_being_checked`, `provider_unavailable`
 */
export async function cancelAtProvider(
  dependencies: PaymentDependencies,
  payment: PaymentRow,
  cause: string,
): Promise<PaymentRow> {
  const own = withProviderOf(dependencies, payment);
  try {
    const { intentId } = await createIntent(own, payment);
    await own.provider.cancelIntent(intentId);
    await syncPaymentFromProvider(own, intentId, { name: cause });
    return (await findPayment(own.database, payment.id)) ?? payment;
  } catch (error) {
    const after = isWithoutIntent(error, payment)
      ? await cancelWithoutIntent(own, payment, { cause, reason: error })
      : undefined;
    if (after?.status === 'cancelled') return after;
    return mapProviderErrors(Promise.reject(error));
  }
}

/**
 * Whether an error proves that a payment has no payable intent: the provider does not know the stored intent, or
 * permanently refuses to create one.
 */
export const isWithoutIntent = (error: unknown, { providerIntentId }: PaymentRow): boolean =>
  providerIntentId === null ? error instanceof ProviderRefused : error instanceof IntentNotFound;

/** Whether a payment's intent is at another account of the provider than the one of our key. */
export const isAtOtherAccount = (
  { providerAccountId }: Pick<PaymentRow, 'providerAccountId'>,
  provider: Pick<PaymentProvider, 'knownAccountId'>,
): boolean => {
  const account = provider.knownAccountId();
  return providerAccountId !== null && account !== null && providerAccountId !== account;
};

/**
 * Whether a payment's intent is certainly at the account of our key, so that an answer "no such intent" is final. It is
 * not for payments of earlier versions, whose account is unknown.
 */
export const isAtOurAccount = (
  { providerAccountId }: Pick<PaymentRow, 'providerAccountId'>,
  provider: Pick<PaymentProvider, 'knownAccountId'>,
): boolean => providerAccountId !== null && providerAccountId === provider.knownAccountId();

/**
 * Cancels an open payment that has no intent at the provider, and alerts the operator. A payment that the bank is
 * processing is not cancelled, because its money may have been captured at the account that has its intent.
 * @param reason the provider's answer
 * @returns the current payment
 */
export async function cancelWithoutIntent(
  dependencies: Pick<PaymentDependencies, 'database' | 'provider' | 'alertOperator'>,
  payment: PaymentRow,
  { cause, reason }: { cause: string; reason: unknown },
): Promise<PaymentRow> {
  const { database, provider, alertOperator } = dependencies;
  const after = await runTransaction(database, async (transaction) => {
    // Searches are always locked before their payment: another order could deadlock.
    if (payment.caseSearchId) await payableSearches.lockById(transaction, payment.caseSearchId);
    const current = (await lockPayment(transaction, payment.id)) ?? payment;
    const isOpen = openPaymentStatuses.some((status) => status === current.status);
    if (!isOpen || current.status === 'processing' || current.reviewReason !== null) return current;
    return updatePayment(transaction, payment.id, { status: 'cancelled', lastCause: cause });
  });
  if (after.status === 'cancelled') {
    alertOperator(
      'a payment was cancelled only in Keyturn, because the provider has no intent for it: make sure that no other account of the firm has been paid',
      {
        payment: payment.id,
        intent: payment.providerIntentId,
        account: payment.providerAccountId,
        current_account: provider.knownAccountId(),
        reason: reason instanceof Error ? reason.message : String(reason),
      },
    );
  }
  return after;
}
