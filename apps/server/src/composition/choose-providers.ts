import { createStripeProvider } from '../adapters/stripe/create-stripe-provider.ts';
import type { PaymentProvider, ProviderChoice } from '../payments/ports/provider.ts';
import type { PaymentSettings } from '../settings/payment-settings.ts';
import type { StripeSettings } from '../settings/stripe-settings.ts';

/**
 * Chooses the payment providers that payments can be started with, and the former ones, which finish payments that were
 * started with them. Stripe can be a former provider only while its keys are set.
 * @param watch wraps each provider
 */
export function chooseProviders(
  { provider, stripe }: PaymentSettings,
  sandbox: PaymentProvider,
  watch: (provider: PaymentProvider) => PaymentProvider = (unwatched) => unwatched,
): ProviderChoice {
  const atSandbox = watch(sandbox);
  const [atStripe, ...others] = stripe ? createStripeProviders(stripe).map(watch) : [];
  if (provider === 'stripe' && atStripe) {
    return { provider: atStripe, providers: { active: [atStripe, ...others], former: [atSandbox] } };
  }
  const former = atStripe ? [atStripe, ...others] : [];
  return { provider: atSandbox, providers: { active: [atSandbox], former } };
}

/** Creates a provider for each account at Stripe, the one that pays into the client account first. */
const createStripeProviders = ({ client, business, apiBase }: StripeSettings): PaymentProvider[] => [
  createStripeProvider({ ...client, apiBase }),
  ...(business ? [createStripeProvider({ ...business, apiBase, name: 'stripe_business' })] : []),
];
