import type { PaymentIntent } from '@keyturn/contract';
import type { Stripe, StripeElements } from '@stripe/stripe-js';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { onColoursChange } from '../../../ui/theme/token-colours.ts';
import { stripeAppearance } from './stripe-appearance.ts';
import { type LoadState, useIsSlow, useStripe } from './use-stripe.ts';

export interface PaymentElementState {
  /** The element that Stripe's frame is mounted in. */
  container: RefObject<HTMLDivElement | null>;
  loadState: LoadState;
  retry(): void;
  /** What a card is given with; null before it is ready. */
  ready: { stripe: Stripe; elements: StripeElements } | null;
}

/** Stripe's Payment Element for one intent: the fields of a card, in a frame of Stripe's. */
export function usePaymentElement({
  publishable_key,
  client_secret,
}: Pick<PaymentIntent, 'publishable_key' | 'client_secret'>): PaymentElementState {
  const { stripe, loadState, retry, attempt } = useStripe(publishable_key);
  const container = useRef<HTMLDivElement>(null);
  const [outcome, setOutcome] = useState<Outcome | null>(null);

  useEffect(() => {
    if (!stripe || !container.current) return undefined;
    let isWanted = true;
    const end = (elements: StripeElements | null) => {
      if (isWanted) setOutcome({ attempt, client_secret, elements });
      // What has failed does not become ready.
      if (!elements) isWanted = false;
    };
    const group = stripe.elements({ clientSecret: client_secret, appearance: stripeAppearance() });
    const element = group.create('payment', {
      layout: { type: 'tabs' },
      wallets: { applePay: 'never', googlePay: 'never', link: 'never' },
      fields: { billingDetails: { address: 'if_required' } },
      terms: { card: 'never' },
    });
    element.on('ready', () => end(group));
    element.on('loaderror', () => end(null));
    element.mount(container.current);
    const stop = onColoursChange(() => void group.update({ appearance: stripeAppearance() }));
    return () => {
      isWanted = false;
      stop();
      element.destroy();
    };
  }, [stripe, client_secret, attempt]);

  // What came of another attempt, or for another intent, says nothing of this one.
  const isOver = outcome?.attempt === attempt && outcome.client_secret === client_secret;
  const elements = isOver ? outcome.elements : null;
  const hasFailed = isOver && elements === null;
  const isSlow = useIsSlow(stripe !== null && !isOver, attempt);
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

/** What came of an attempt. */
interface Outcome {
  attempt: number;
  client_secret: string;
  /** Null: it has failed. */
  elements: StripeElements | null;
}
