import type { Stripe } from '@stripe/stripe-js';
import { stripeScript, stripeScriptUrl } from '../services/trusted-types.ts';

/**
 * Stripe.js, fetched from Stripe the first time that a card is to be given, and by nobody else. It cannot be taken out
 * of the page again.
 * @throws Error where it is blocked, broken, or does not come; the next call asks anew
 */
export function loadStripe(publishableKey: string): Promise<Stripe> {
  if (!arriving) {
    const one = load(publishableKey).catch((error: unknown) => {
      if (arriving === one) arriving = null;
      throw error;
    });
    arriving = one;
  }
  return arriving;
}

/** What is still on its way is not waited for any longer: the next call asks anew. */
export function dropSlowStripe(): void {
  if ('Stripe' in window) return;
  document.querySelector(`script[src="${stripeScript}"]`)?.remove();
  arriving = null;
}

let arriving: Promise<Stripe> | null = null;

async function load(publishableKey: string): Promise<Stripe> {
  const [loader] = await Promise.all([import('@stripe/stripe-js/pure'), addScript()]);
  const stripe = await loader.loadStripe(publishableKey, {
    locale: 'en-GB',
    developerTools: { assistant: { enabled: false } },
  });
  if (!stripe) throw new Error('there is no Stripe.js outside of a browser');
  return stripe;
}

/** Stripe's own loader finds what is there. It makes an element itself only where ours is not, which the policy forbids. */
async function addScript(): Promise<void> {
  if ('Stripe' in window) return;
  const script = document.createElement('script');
  script.src = stripeScriptUrl();
  await new Promise<void>((resolve, reject) => {
    script.addEventListener('load', () => resolve());
    script.addEventListener('error', () => reject(new Error('Stripe.js did not come')));
    document.head.append(script);
  }).catch((error: unknown) => {
    script.remove();
    throw error;
  });
  if (!('Stripe' in window)) {
    script.remove();
    throw new Error('what came is not Stripe.js');
  }
}
