import {
  type StripeSimulator,
  startStripeSimulator,
} from '../../packages/testkit/src/stripe-simulator/start-stripe-simulator.ts';

export { type StripeSimulator, startStripeSimulator };

/** The settings of a product that takes its payments at a simulated Stripe. */
export const atStripe = ({ url, webhookSecret }: StripeSimulator): NodeJS.ProcessEnv => ({
  KEYTURN_PAYMENT_PROVIDER: 'stripe',
  KEYTURN_STRIPE_SECRET_KEY: 'rk_test_simulated',
  KEYTURN_STRIPE_PUBLISHABLE_KEY: 'pk_test_simulated',
  KEYTURN_STRIPE_WEBHOOK_SECRETS: webhookSecret,
  KEYTURN_STRIPE_API_BASE: url,
});
