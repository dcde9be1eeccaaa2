import type { StripeSimulator } from './start-stripe-simulator.ts';

/**
 * The settings of a server that takes its payments at a simulated Stripe.
 * @param webhookSecrets with commas between them; the simulator's own unless given
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
