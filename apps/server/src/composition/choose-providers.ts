import { createStripeProvider } from '../adapters/stripe/create-stripe-provider.ts';
import type { PaymentProvider } from '../features/payments/ports.ts';
import type { PaymentSettings } from '../settings/payment-settings.ts';

/**
 * Chooses the payment provider, and the former one, which finishes payments that were started with it. Stripe can be
 * the former provider only while its keys are still set.
 */
export function chooseProviders(
  { provider, stripe }: PaymentSettings,
  sandbox: PaymentProvider,
): { provider: PaymentProvider; formerProvider: PaymentProvider | null } {
  const stripeProvider = stripe && createStripeProvider(stripe);
  return provider === 'stripe' && stripeProvider
    ? { provider: stripeProvider, formerProvider: sandbox }
    : { provider: sandbox, formerProvider: stripeProvider };
}
