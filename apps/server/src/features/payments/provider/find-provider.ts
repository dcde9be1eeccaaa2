import { DomainError } from '../../../platform/domain-error.ts';
import type { PaymentDependencies } from '../payment-dependencies.ts';
import type { PaymentProvider } from '../ports.ts';
import type { PaymentRow } from '../records/payment-row.ts';

/**
 * Replaces the provider in the dependencies with the one that a payment was started with: after a change of provider,
 * open payments are finished at the former one.
 * @throws DomainError `payment_being_checked` if that provider can no longer be called, so the outcome is unknown
 */
export function withProviderOf<Dependencies extends ProviderChoice>(
  dependencies: Dependencies,
  payment: Pick<PaymentRow, 'provider'>,
): Dependencies {
  const provider = findProvider(dependencies, payment.provider);
  if (!provider) throw new DomainError('payment_being_checked');
  return { ...dependencies, provider };
}

export type ProviderChoice = Pick<PaymentDependencies, 'provider' | 'formerProvider'>;

/** Finds the provider with this name; null if it can no longer be called. */
export const findProvider = (
  { provider, formerProvider }: ProviderChoice,
  name: string,
): PaymentProvider | null =>
  provider.name === name ? provider : formerProvider?.name === name ? formerProvider : null;
