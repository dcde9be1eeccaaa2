import type { Stripe } from '@stripe/stripe-js';
import { useEffect, useState } from 'react';
import { abandonSlowStripe, loadStripe } from '../../../api/payments/load-stripe.ts';

/**
 * - `slow`: still loading after ten seconds
 * - `failed`: blocked, broken or unreachable
 */
export type LoadState = 'loading' | 'slow' | 'failed' | 'ready';

export interface StripeLoad {
  stripe: Stripe | null;
  loadState: LoadState;
  /** Retries a failed or slow load without reloading the page. */
  retry(): void;
  /** Counts the attempts to load it. */
  attempt: number;
}

/** Loads Stripe.js for a screen that needs a card. */
export function useStripe(publishableKey: string): StripeLoad {
  const [loaded, setLoaded] = useState<{ stripe: Stripe; publishableKey: string } | null>(null);
  const [failedAttempt, setFailedAttempt] = useState<number | null>(null);
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    let isCurrent = true;
    loadStripe(publishableKey).then(
      (stripe) => isCurrent && setLoaded({ stripe, publishableKey }),
      () => isCurrent && setFailedAttempt(attempt),
    );
    return () => {
      isCurrent = false;
    };
  }, [publishableKey, attempt]);
  // Each account needs a separate Stripe object.
  const stripe = loaded?.publishableKey === publishableKey ? loaded.stripe : null;
  const hasFailed = failedAttempt === attempt;
  const isSlow = useIsSlow(stripe === null && !hasFailed, attempt);
  return {
    stripe,
    loadState: stripe ? 'ready' : hasFailed ? 'failed' : isSlow ? 'slow' : 'loading',
    retry: () => {
      abandonSlowStripe();
      setAttempt((before) => before + 1);
    },
    attempt,
  };
}

/** Whether the current attempt has been awaited for more than ten seconds. */
export function useIsSlow(isAwaited: boolean, attempt: number): boolean {
  const [slowAttempt, setSlowAttempt] = useState<number | null>(null);
  useEffect(() => {
    if (!isAwaited) return undefined;
    const timer = setTimeout(() => setSlowAttempt(attempt), 10_000);
    return () => {
      clearTimeout(timer);
      setSlowAttempt(null);
    };
  }, [isAwaited, attempt]);
  return slowAttempt === attempt;
}
