import { DomainError } from '../../platform/domain-error.ts';
import { cancelWithoutIntent, isAtOurAccount, isWithoutIntent } from '../intents/cancel-without-intent.ts';
import { mapProviderErrors } from '../intents/create-intent.ts';
import type { PaymentDependencies } from '../payment-dependencies.ts';
import { IntentNotFound } from '../ports/provider.ts';
import type { PaymentRow } from '../records/rows.ts';

/**
 * Calls the provider about a payment's intent. If it certainly has none, the payment is cancelled, so that it does not
 * block its search. An intent that may be at another account keeps its payment until that expires or is cancelled: a card
 * form that is still open could pay it there.
 * @throws DomainError `not_payable` if the payment was cancelled, else as `mapProviderErrors` does
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
    if (after.status === 'cancelled') throw new DomainError('not_payable');
    return mapProviderErrors(Promise.reject(error));
  }
}
