import type { Stripe } from '@stripe/stripe-js';
import { stripeScript, stripeScriptUrl } from '../services/trusted-types.ts';

/**
 * Loads Stripe.js from Stripe when a card form first needs it. A script cannot be unloaded again, so no other screen
 * loads it.
 * @param publishableKey the key of the account that the payment goes to; a firm may have two
 * @throws Error if it is blocked, broken or unavailable; the next call tries again
 */
export function loadStripe(publishableKey: string): Promise<Stripe> {
  const earlier = loading.get(publishableKey);
  if (earlier) return earlier;
  const attempt = load(publishableKey).catch((error: unknown) => {
    if (loading.get(publishableKey) === attempt) loading.delete(publishableKey);
    throw error;
  });
  loading.set(publishableKey, attempt);
  return attempt;
}

/** Abandons a load that is still in progress, so that the next call starts another one. */
export function abandonSlowStripe(): void {
  if ('Stripe' in window) return;
  document.querySelector(`script[src="${stripeScript}"]`)?.remove();
  loading.clear();
}

/** By publishable key. */
const loading = new Map<string, Promise<Stripe>>();

async function load(publishableKey: string): Promise<Stripe> {
  const [loader] = await Promise.all([import('@stripe/stripe-js/pure'), addScript()]);
  const stripe = await loader.loadStripe(publishableKey, {
    locale: 'en-GB',
    developerTools: { assistant: { enabled: false } },
  });
  if (!stripe) throw new Error('Stripe.js is only available in a browser');
  return stripe;
}

/** Adds the script before Stripe's own loader does, because the content security policy forbids the loader's way. */
async function addScript(): Promise<void> {
  if ('Stripe' in window) return;
  const script = document.createElement('script');
  script.src = stripeScriptUrl();
  await new Promise<void>((resolve, reject) => {
    script.addEventListener('load', () => resolve());
    script.addEventListener('error', () => reject(new Error('Stripe.js could not be loaded')));
    document.head.append(script);
  }).catch((error: unknown) => {
    script.remove();
    throw error;
  });
  if (!('Stripe' in window)) {
    script.remove();
    throw new Error('The loaded script is not Stripe.js');
  }
}
