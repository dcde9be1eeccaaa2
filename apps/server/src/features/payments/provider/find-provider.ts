import { DomainError } from '../../../platform/domain-error.ts';
import type { PaymentDependencies } from '../payment-dependencies.ts';
import type { PaymentProvider } from '../ports.ts';
import type { PaymentRow } from '../records/payment-row.ts';

/**
 * The same dependencies with the provider at which a payment was begun: after a change of provider, what the former one
 * has begun is ended there.
 * @throws DomainError `payment_being_checked`: the former one cannot be asked any more, so nobody may say what became of it
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

/** The provider of this name, if it can be asked. */
export const findProvider = (
  { provider, formerProvider }: ProviderChoice,
  name: string,
): PaymentProvider | null =>
  provider.name === name ? provider : formerProvider?.name === name ? formerProvider : null;
