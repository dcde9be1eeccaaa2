import type { Settings } from './read-settings.ts';

export interface StripeSettings {
  secretKey: string;
  publishableKey: string;
  webhookSecrets: string[];
  /** A simulator's address; null: Stripe's own. */
  apiBase: string | null;
}

/** No value is repeated in a fault: people put keys in the wrong place. */
export function readStripe(
  env: NodeJS.ProcessEnv,
  environment: Settings['environment'],
  faults: string[],
): StripeSettings {
  const secretKey = env.KEYTURN_STRIPE_SECRET_KEY?.trim() ?? '';
  const publishableKey = env.KEYTURN_STRIPE_PUBLISHABLE_KEY?.trim() ?? '';
  const webhookSecrets = (env.KEYTURN_STRIPE_WEBHOOK_SECRETS ?? '')
    .split(',')
    .map((secret) => secret.trim())
    .filter((secret) => secret !== '');
  const apiBase = env.KEYTURN_STRIPE_API_BASE?.trim() || null;

  const mode = environment === 'production' ? 'live' : 'test';
  const where = mode === 'live' ? 'in production' : 'outside of production';
  if (!new RegExp(`^(sk|rk)_${mode}_[A-Za-z0-9_]+$`).test(secretKey)) {
    faults.push(
      `KEYTURN_STRIPE_SECRET_KEY must be a key like rk_${mode}_… or sk_${mode}_…: ${mode} keys alone ${where}`,
    );
  }
  if (!new RegExp(`^pk_${mode}_[A-Za-z0-9_]+$`).test(publishableKey)) {
    faults.push(
      `KEYTURN_STRIPE_PUBLISHABLE_KEY must be a key like pk_${mode}_…: ${mode} keys alone ${where}`,
    );
  }
  if (webhookSecrets.length === 0 || !webhookSecrets.every((secret) => /^whsec_[\w+/=]+$/.test(secret))) {
    faults.push('KEYTURN_STRIPE_WEBHOOK_SECRETS must be one or more like whsec_…, with commas between them');
  }
  if (apiBase !== null && environment === 'production') {
    faults.push('KEYTURN_STRIPE_API_BASE must not be set in production');
  } else if (apiBase !== null && !(URL.canParse(apiBase) && /^https?:\/\/[\w.-]+(:\d+)?$/.test(apiBase))) {
    faults.push('KEYTURN_STRIPE_API_BASE must be an address like http://127.0.0.1:12111');
  }
  return { secretKey, publishableKey, webhookSecrets, apiBase };
}
