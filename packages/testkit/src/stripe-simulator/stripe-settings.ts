import type { StripeSimulator } from './start-stripe-simulator.ts';
import type { StripeAccount } from './stripe-account.ts';

/**
 * Returns the settings of a server that uses the simulator as Stripe.
 * @param webhookSecrets comma-separated; by default the simulator's own
 */
export const stripeSettings = (
  { url, webhookSecret }: Pick<StripeSimulator, 'url' | 'webhookSecret'>,
  webhookSecrets = webhookSecret,
) => ({
  KEYTURN_PAYMENT_PROVIDER: 'stripe',
  KEYTURN_STRIPE_SECRET_KEY: 'rk_test_simulated',
  KEYTURN_STRIPE_PUBLISHABLE_KEY: 'pk_test_simulated',
  KEYTURN_STRIPE_WEBHOOK_SECRETS: webhookSecrets,
  KEYTURN_STRIPE_API_BASE: url,
});

/** Returns the settings for a second account of the firm, which pays into its business account. */
export const businessAccountSettings = ({
  secretKey,
  webhookSecret,
}: Pick<StripeAccount, 'secretKey' | 'webhookSecret'>) => ({
  KEYTURN_STRIPE_BUSINESS_SECRET_KEY: secretKey,
  KEYTURN_STRIPE_BUSINESS_PUBLISHABLE_KEY: 'pk_test_business',
  KEYTURN_STRIPE_BUSINESS_WEBHOOK_SECRETS: webhookSecret,
});
