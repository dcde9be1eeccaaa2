import { createStripeProvider } from '../adapters/stripe/create-stripe-provider.ts';
import type { PaymentProvider } from '../features/payments/ports.ts';
import type { Settings } from '../settings/read-settings.ts';

/**
 * The provider that takes payments, and the one that did so before: to end what it has begun. Stripe can be asked only
 * while its keys are still set.
 */
export function chooseProviders(
  { provider, stripe }: Settings['payments'],
  sandbox: PaymentProvider,
): { provider: PaymentProvider; formerProvider: PaymentProvider | null } {
  const atStripe = stripe && createStripeProvider(stripe);
  return provider === 'stripe' && atStripe
    ? { provider: atStripe, formerProvider: sandbox }
    : { provider: sandbox, formerProvider: atStripe };
}
