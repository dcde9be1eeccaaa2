import type { Stripe, StripeElements } from '@stripe/stripe-js';
import { type RefObject, useEffect, useRef, useState } from 'react';
import type { PayableIntent } from '../../../api/payments/payment-queries.ts';
import { onColoursChange } from '../../../ui/theme/token-colours.ts';
import { stripeAppearance } from './stripe-appearance.ts';
import { type LoadState, useIsSlow, useStripe } from './use-stripe.ts';

export interface PaymentElementState {
  /** The element that Stripe's frame is mounted in. */
  container: RefObject<HTMLDivElement | null>;
  loadState: LoadState;
  retry(): void;
  /** The objects needed to submit the card; null until they have loaded. */
  ready: { stripe: Stripe; elements: StripeElements } | null;
}

/** Mounts Stripe's Payment Element, the card's fields in Stripe's frame, for one intent. */
export function usePaymentElement(
  { publishable_key, client_secret }: Pick<PayableIntent, 'publishable_key' | 'client_secret'>,
  /** Apple Pay and Google Pay where the browser has them. */
  offersWallets: boolean,
): PaymentElementState {
  const { stripe, loadState, retry, attempt } = useStripe(publishable_key);
  const container = useRef<HTMLDivElement>(null);
  const [outcome, setOutcome] = useState<Outcome | null>(null);

  useEffect(() => {
    if (!stripe || !container.current) return undefined;
    let isCurrent = true;
    const finish = (elements: StripeElements | null) => {
      if (isCurrent) setOutcome({ attempt, client_secret, elements });
      // An element that failed to load never becomes ready.
      if (!elements) isCurrent = false;
    };
    const group = stripe.elements({ clientSecret: client_secret, appearance: stripeAppearance() });
    const wallets = offersWallets ? 'auto' : 'never';
    const element = group.create('payment', {
      layout: { type: 'tabs' },
      wallets: { applePay: wallets, googlePay: wallets, link: 'never' },
      fields: { billingDetails: { address: 'if_required' } },
      terms: { card: 'never' },
    });
    element.on('ready', () => finish(group));
    element.on('loaderror', () => finish(null));
    element.mount(container.current);
    const stop = onColoursChange(() => void group.update({ appearance: stripeAppearance() }));
    return () => {
      isCurrent = false;
      stop();
      element.destroy();
    };
  }, [stripe, client_secret, attempt, offersWallets]);

  // The outcome of another attempt or intent does not count.
  const isFinished = outcome?.attempt === attempt && outcome.client_secret === client_secret;
  const elements = isFinished ? outcome.elements : null;
  const hasFailed = isFinished && elements === null;
  const isSlow = useIsSlow(stripe !== null && !isFinished, attempt);
  const isReady = stripe !== null && elements !== null;
  return {
    container,
    loadState: isReady
      ? 'ready'
      : hasFailed
        ? 'failed'
        : isSlow
          ? 'slow'
          : loadState === 'ready'
            ? 'loading'
            : loadState,
    retry,
    ready: isReady ? { stripe, elements } : null,
  };
}

/** The result of one attempt to load the element. */
interface Outcome {
  attempt: number;
  client_secret: string;
  /** Null if it failed. */
  elements: StripeElements | null;
}
