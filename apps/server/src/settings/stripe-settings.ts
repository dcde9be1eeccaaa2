import type { Environment, SettingReader } from './setting-reader.ts';

export interface StripeSettings {
  secretKey: string;
  publishableKey: string;
  webhookSecrets: string[];
  /** A simulator's address; null: Stripe itself. */
  apiBase: string | null;
}

/**
 * Reads the settings for Stripe. Messages never repeat a value: people paste keys into the wrong setting.
 * @returns null if Stripe is not the provider and has no secret key
 */
export function readStripe(
  reader: SettingReader,
  environment: Environment,
  provider: 'sandbox' | 'stripe',
): StripeSettings | null {
  const stripe = {
    secretKey: reader.optional('KEYTURN_STRIPE_SECRET_KEY') ?? '',
    publishableKey: reader.optional('KEYTURN_STRIPE_PUBLISHABLE_KEY') ?? '',
    webhookSecrets: reader.list('KEYTURN_STRIPE_WEBHOOK_SECRETS'),
    apiBase: reader.optional('KEYTURN_STRIPE_API_BASE'),
  };
  if (provider !== 'stripe' && stripe.secretKey === '') return null;
  checkStripe(stripe, environment, reader);
  return stripe;
}

function checkStripe(
  { secretKey, publishableKey, webhookSecrets, apiBase }: StripeSettings,
  environment: Environment,
  { report }: SettingReader,
): void {
  const mode = environment === 'production' ? 'live' : 'test';
  const reason = 'production accepts only live keys, any other environment only test keys';
  if (!new RegExp(`^(sk|rk)_${mode}_[A-Za-z0-9_]+$`).test(secretKey)) {
    report(`KEYTURN_STRIPE_SECRET_KEY must be a key like rk_${mode}_… or sk_${mode}_…: ${reason}`);
  }
  if (!new RegExp(`^pk_${mode}_[A-Za-z0-9_]+$`).test(publishableKey)) {
    report(`KEYTURN_STRIPE_PUBLISHABLE_KEY must be a key like pk_${mode}_…: ${reason}`);
  }
  if (webhookSecrets.length === 0 || !webhookSecrets.every((secret) => /^whsec_[\w+/=]+$/.test(secret))) {
    report('KEYTURN_STRIPE_WEBHOOK_SECRETS must be one or more secrets like whsec_…, separated by commas');
  }
  if (apiBase !== null && environment === 'production') {
    report('KEYTURN_STRIPE_API_BASE must not be set in production');
  } else if (apiBase !== null && !(URL.canParse(apiBase) && /^https?:\/\/[\w.-]+(:\d+)?$/.test(apiBase))) {
    report('KEYTURN_STRIPE_API_BASE must be an address like http://127.0.0.1:12111');
  }
}
